package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.CarriedTerm;
import io.evenkeel.cluster.counting.CarriedTerms;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The terms of pods in place that match the pod being scheduled: asked for at every extension point, looked up once,
 * and again only after terms or namespaces have changed.
 */
final class MatchingTerms {
    private final CarriedTerms carried;
    private @Nullable PodInfo pod;
    private long version;
    private List<CarriedTerm> terms = List.of();

    MatchingTerms(CarriedTerms carried) {
        this.carried = carried;
    }

    List<CarriedTerm> of(PodInfo asked) {
        if (carried.isEmpty()) {
            return List.of();
        }
        if (version != carried.version() || !asked.equals(pod)) {
            terms = carried.matching(asked.pod().namespace(), asked.pod().labels());
            version = carried.version();
            pod = asked;
        }
        return terms;
    }
}
