package io.evenkeel.app.cli;

import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.watch.ClusterList;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.problem.UserProblem;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** All objects of a cluster, listed once; what cannot be read of it is warned of. */
public final class ClusterListing {
    /** Without these there is nothing to say. */
    private static final Set<String> NEEDED = Set.of(Kinds.NODE.name(), Kinds.POD.name());

    private static final int MOST_WARNINGS = 5;

    private ClusterListing() {}

    /** Lists the kinds; it is a UserProblem if nodes or pods cannot be listed. */
    public static ClusterList of(List<Kind<?>> kinds, ApiTransport transport, Consumer<String> warnings)
            throws InterruptedException {
        ClusterList list = ClusterList.of(kinds, transport);
        list.failed().forEach((kind, why) -> {
            if (NEEDED.contains(kind)) {
                throw new UserProblem("cannot list " + kind + "s of " + transport.host() + ": " + why);
            }
            warnings.accept(
                    "cannot list objects of kind " + kind + ", and the answer is as if there were none: " + why);
        });
        list.unreadable().forEach((kind, reasons) -> warn(kind, reasons, warnings));
        return list;
    }

    /** Prints warnings as commands do, a line each. */
    public static Consumer<String> warningsTo(PrintWriter err) {
        return warning -> err.println("evenkeel: warning: " + Excerpt.oneLine(warning));
    }

    private static void warn(String kind, List<String> reasons, Consumer<String> warnings) {
        reasons.stream()
                .limit(MOST_WARNINGS)
                .forEach(reason -> warnings.accept("a " + kind + " is left out: " + reason));
        if (reasons.size() > MOST_WARNINGS) {
            warnings.accept("and " + (reasons.size() - MOST_WARNINGS) + " more of kind " + kind);
        }
    }
}
