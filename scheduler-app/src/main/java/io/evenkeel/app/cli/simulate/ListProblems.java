package io.evenkeel.app.cli.simulate;

import io.evenkeel.app.dump.DumpException;
import io.evenkeel.kube.watch.ClusterList;
import io.evenkeel.model.kind.Kinds;
import java.util.Set;
import java.util.function.Consumer;

/** What went wrong when a cluster was listed. */
final class ListProblems {
    private static final Set<String> NEEDED = Set.of(Kinds.NODE.name(), Kinds.POD.name());
    private static final int MOST = 5;

    private ListProblems() {}

    /**
     * Says what is left out.
     *
     * @throws DumpException if nodes or pods could not be listed
     */
    static void of(ClusterList list, String host, Consumer<String> warnings) {
        list.failed().forEach((kind, why) -> {
            if (NEEDED.contains(kind)) {
                throw new DumpException("cannot list " + kind + "s of " + host + ": " + why);
            }
            warnings.accept("cannot list objects of kind " + kind + ", and it is as if there were none: " + why);
        });
        list.unreadable().forEach((kind, reasons) -> {
            reasons.stream().limit(MOST).forEach(reason -> warnings.accept("a " + kind + " is left out: " + reason));
            if (reasons.size() > MOST) {
                warnings.accept("and " + (reasons.size() - MOST) + " more of kind " + kind);
            }
        });
    }
}
