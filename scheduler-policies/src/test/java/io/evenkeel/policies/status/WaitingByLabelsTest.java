package io.evenkeel.policies.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
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

    private static Pod pod(String namespace) {
        return PodBuilder.pod(namespace, "pod").build();
    }
}
