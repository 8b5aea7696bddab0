package io.evenkeel.policies.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.policies.ReadablePolicy;
import io.evenkeel.policies.ReadablePolicy.PolicyReadings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WaitingByLabelsTest {
    private static final int NAMESPACES = 5_000;

    private final WaitingByLabels waiting = new WaitingByLabels(_ -> true);

    @Test
    void namespacesOfWhichNoPodWaitsAreForgotten() {
        waiting.take(new ClusterEvent.Put(pod("stays")));
        for (int i = 0; i < 100_000; i++) {
            Pod pod = pod("ns-" + i);
            waiting.take(new ClusterEvent.Put(pod));
            waiting.take(new ClusterEvent.Removed(pod));
        }
        assertThat(waiting.namespaces()).isLessThan(2_000);
        assertThat(waiting.cost("stays")).isOne();
    }

    @Test
    void whereManyWaitedAtOnceFewAreKeptOnceAllAreGone() {
        for (int i = 0; i < 20_000; i++) {
            waiting.take(new ClusterEvent.Put(pod("ns-" + i)));
        }
        for (int i = 0; i < 20_000; i++) {
            waiting.take(new ClusterEvent.Removed(pod("ns-" + i)));
        }
        assertThat(waiting.namespaces()).isLessThan(2_000);
    }

    @Test
    void changesOfANamespaceGrowWithEachPodWhetherOrNotItWasForgotten() {
        SplittableRandom random = new SplittableRandom(1);
        Map<String, Long> before = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            String namespace = "ns-" + random.nextInt(NAMESPACES);
            long seen = before.getOrDefault(namespace, 0L);
            assertThat(waiting.changes(namespace)).isGreaterThanOrEqualTo(seen);

            Pod pod = pod(namespace);
            waiting.take(waiting.cost(namespace) == 0 ? new ClusterEvent.Put(pod) : new ClusterEvent.Removed(pod));
            assertThat(waiting.changes(namespace)).isGreaterThan(seen);
            before.put(namespace, waiting.changes(namespace));
        }
        assertThat(waiting.changes("ns-0")).isLessThanOrEqualTo(waiting.changes(""));
    }

    @Test
    void podsOnTheirWayAndOfOtherSchedulersDoNotWait() {
        ClusterState cluster = new ClusterState();
        cluster.put(new PlacementPolicy(
                ObjectMeta.named("shop", "web"),
                PolicySpec.of(
                        LabelSelector.matchingLabels(Labels.of("app", "web")),
                        List.of(PolicyRule.over("zone").withMaxPods(1)))));
        ReadablePolicy policy = new PolicyReadings(cluster.view()).all().getFirst();
        WaitingByLabels kept =
                new WaitingByLabels(pod -> pod.spec().schedulerName().equals("default-scheduler"));
        List<Pod> web = Stream.of("p1", "p2", "p3")
                .map(name -> PodBuilder.pod("shop", name).label("app", "web").build())
                .toList();
        Pod others = PodBuilder.from(web.getFirst())
                .name("others")
                .schedulerName("other")
                .build();
        Pod db = PodBuilder.pod("shop", "db").label("app", "db").build();
        web.forEach(pod -> kept.take(new ClusterEvent.Put(pod)));
        kept.take(new ClusterEvent.Put(others));
        kept.take(new ClusterEvent.Put(db));

        assertThat(kept.of(policy, List.of())).isEqualTo(3);
        assertThat(kept.of(policy, List.of(web.getFirst()))).isEqualTo(2);
        Pod unknown = PodBuilder.from(web.getFirst()).name("unknown").build();
        assertThat(kept.of(policy, List.of(others, db, unknown))).isEqualTo(3);
        assertThat(kept.samplesOf(policy, 9)).containsExactly(web.getLast());
        assertThat(kept.cost("shop")).isEqualTo(2);
        assertThat(kept.cost("")).isEqualTo(2);
        assertThat(kept.cost("elsewhere")).isZero();
    }

    private static Pod pod(String namespace) {
        return PodBuilder.pod(namespace, "pod").build();
    }
}
