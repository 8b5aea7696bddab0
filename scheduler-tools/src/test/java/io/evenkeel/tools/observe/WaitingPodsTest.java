package io.evenkeel.tools.observe;

import static io.evenkeel.tools.observe.ObservedCluster.ZONE;
import static io.evenkeel.tools.observe.ObservedCluster.hard;
import static io.evenkeel.tools.observe.ObservedCluster.node;
import static io.evenkeel.tools.observe.ObservedCluster.podOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pods that wait are in their workloads too, as long as they wait. */
class WaitingPodsTest {
    private static final List<String> SERIES = List.of("shop", ZONE, "DoNotSchedule", "Deployment/web");

    private final ObservedCluster cluster =
            new ObservedCluster().put(node("a1", "a").build());
    private final Pod waiting = podOf("web", "web-1")
            .spread(hard(1, ZONE, "web"))
            .schedulerName("volcano")
            .build();

    private boolean isWatched() {
        return cluster.tick().gauge("evenkeel_spread_skew").containsKey(SERIES);
    }

    @Test
    void aWorkloadOfWhichAllPodsWaitIsWatchedUntilTheyAreGone() {
        assertThat(isWatched()).isFalse();
        cluster.put(waiting).put(waiting);
        assertThat(isWatched()).isTrue();
        cluster.remove(waiting);
        assertThat(isWatched()).isFalse();
    }

    @Test
    void onesThatARelistLeavesOutAreGone() {
        cluster.put(waiting);
        cluster.relist(List.of(node("a1", "a").build(), waiting));
        assertThat(isWatched()).isTrue();
        cluster.relist(List.of(node("a1", "a").build()));
        assertThat(isWatched()).isFalse();
    }

    @Test
    void onesThatEndWhileTheyWaitAreGone() {
        cluster.put(waiting).put(PodBuilder.from(waiting).terminating(true).build());
        assertThat(isWatched()).isFalse();
    }

    @Test
    void placingOneLeavesItWhereItIs() {
        Pod placed = PodBuilder.from(waiting).nodeName("a1").build();
        cluster.put(waiting).put(placed);
        assertThat(isWatched()).isTrue();
        cluster.remove(placed);
        assertThat(isWatched()).isFalse();
    }
}
