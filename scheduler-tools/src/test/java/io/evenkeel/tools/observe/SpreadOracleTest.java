package io.evenkeel.tools.observe;

import static io.evenkeel.tools.observe.ObservedCluster.HOST;
import static io.evenkeel.tools.observe.ObservedCluster.ZONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.tools.observe.RandomObjects.Known;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** After each of many random events each workload's skew is what a naive recount of all pods says. */
class SpreadOracleTest {
    private static final int EVENTS = 250;

    static LongStream seeds() {
        return Rotation.seeds(4);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theSkewIsThatOfARecount(long seed) {
        ObservedCluster cluster = new ObservedCluster();
        RandomObjects objects = new RandomObjects(new Random(seed));
        for (int event = 0; event < EVENTS; event++) {
            objects.change(cluster);
            cluster.tick();

            assertThat(excess(cluster)).as("seed %d, event %d", seed, event).isEqualTo(recount(objects.known()));
            if (event % 10 == 0) {
                assertThat(ClusterAudit.differences(cluster.scheduler.cluster()))
                        .isEmpty();
            }
        }
    }

    /** By namespace, key, whenUnsatisfiable and workload: how far the skew is beyond what is allowed. */
    private static Map<List<String>, Integer> excess(ObservedCluster cluster) {
        Map<List<String>, Integer> allowed = cluster.gauge("evenkeel_spread_allowed_skew");
        Map<List<String>, Integer> excess = new HashMap<>();
        cluster.gauge("evenkeel_spread_skew").forEach((labels, skew) -> excess.put(labels, skew - allowed.get(labels)));
        cluster.gauge("evenkeel_spread_violating_domains")
                .forEach((labels, domains) ->
                        assertThat(domains > 0).as("%s", labels).isEqualTo(excess.get(labels) > 0));
        return excess;
    }

    private static Map<List<String>, Integer> recount(Known known) {
        Map<List<String>, Integer> excess = new HashMap<>();
        NaiveSpread naive = new NaiveSpread(known);
        known.pods()
                .forEach(pod -> naive.constraintsOf(pod)
                        .forEach(constraint -> excess.merge(
                                List.of("shop", constraint.key(), constraint.action(), naive.workloadOf(pod)),
                                constraint.skew() - constraint.allowed(),
                                Math::max)));
        assertThat(List.of(ZONE, HOST))
                .containsAll(excess.keySet().stream().map(name -> name.get(1)).toList());
        return excess;
    }
}
