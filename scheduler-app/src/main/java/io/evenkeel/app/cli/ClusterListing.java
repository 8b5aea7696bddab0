package io.evenkeel.app.cli;

import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.watch.ClusterList;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;

/** All objects of a cluster, listed once; what cannot be read of it is warned of. */
final class ClusterListing {
    /** Without these there is nothing to say. */
    private static final Set<String> NEEDED = Set.of(Kinds.NODE.name(), Kinds.POD.name());

    private static final int MOST_WARNINGS = 5;

    private ClusterListing() {}

    /** @throws FailureException if nodes or pods cannot be listed */
    static List<KubernetesObject> of(List<Kind<?>> kinds, ApiTransport transport, PrintWriter warnings)
            throws InterruptedException {
        ClusterList list = ClusterList.of(kinds, transport);
        list.failed().forEach((kind, why) -> {
            if (NEEDED.contains(kind)) {
                throw new FailureException("cannot list " + kind + "s of " + transport.host() + ": " + why);
            }
            warnings.println("evenkeel: warning: cannot list objects of kind " + kind
                    + ", and the answer is as if there were none: " + why);
        });
        list.unreadable().forEach((kind, reasons) -> warn(kind, reasons, warnings));
        return list.objects();
    }

    private static void warn(String kind, List<String> reasons, PrintWriter warnings) {
        reasons.stream()
                .limit(MOST_WARNINGS)
                .forEach(reason -> warnings.println("evenkeel: warning: a " + kind + " is left out: " + reason));
        if (reasons.size() > MOST_WARNINGS) {
            warnings.println("evenkeel: warning: and " + (reasons.size() - MOST_WARNINGS) + " more of kind " + kind);
        }
    }
}
