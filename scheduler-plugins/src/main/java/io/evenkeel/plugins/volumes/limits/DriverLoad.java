package io.evenkeel.plugins.volumes.limits;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.SparseCounts;
import java.util.Arrays;
import java.util.OptionalInt;

/** How many volumes of one CSI driver each node has attached, and can have. */
final class DriverLoad {
    private final SparseCounts.Writer attached = SparseCounts.create();
    private final NodeSet limited = new NodeSet();
    private int[] limits = {};

    int attachedTo(int node) {
        return attached.counts().get(node);
    }

    SparseCounts attached() {
        return attached.counts();
    }

    void add(int node, int delta) {
        attached.add(node, delta);
    }

    /** The nodes that say how many they can have. */
    NodeSetView limited() {
        return limited;
    }

    /** To be asked of those only. */
    int limitOf(int node) {
        return limits[node];
    }

    void limit(int node, OptionalInt limit) {
        limited.set(node, limit.isPresent());
        if (limit.isPresent()) {
            if (node >= limits.length) {
                limits = Arrays.copyOf(limits, Math.max(node + 1, limits.length * 2));
            }
            limits[node] = limit.getAsInt();
        }
    }

    boolean isUnused() {
        return limited.isEmpty() && attached.counts().size() == 0;
    }
}
