package io.evenkeel.plugins.volumes;

import io.evenkeel.api.Status;
import java.util.ArrayList;
import java.util.List;

/** The reasons against a node, as bits: there can be several at once. */
final class NodeReasons {
    static final int NONE = 0;
    static final int OUT_OF_REACH = 1;
    static final int NOTHING_TO_BIND = 2;
    static final int NO_SPACE = 4;
    static final int VOLUME_MISSING = 8;
    static final int END = 16;

    /** By bit, in the order in which they are told. */
    private static final List<String> TEXTS = List.of(
            "node(s) didn't match PersistentVolume's node affinity",
            "node(s) didn't find available persistent volumes to bind",
            "node(s) did not have enough free storage",
            "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");

    private static final Status[] STATUSES = new Status[END];

    static {
        STATUSES[NONE] = Status.SUCCESS;
        for (int reasons = NONE + 1; reasons < END; reasons++) {
            List<String> told = new ArrayList<>();
            for (int bit = 0; bit < TEXTS.size(); bit++) {
                if ((reasons & (1 << bit)) != 0) {
                    told.add(TEXTS.get(bit));
                }
            }
            STATUSES[reasons] = Status.unresolvable(told.toArray(String[]::new));
        }
    }

    private NodeReasons() {}

    static Status status(int reasons) {
        return STATUSES[reasons];
    }
}
