package io.evenkeel.plugins;

import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.model.build.PodBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeResourcesBalancedAllocationTest {
    private final ResourceCluster cluster = new ResourceCluster();
    private final NodeResourcesBalancedAllocation plugin = cluster.balanced("cpu", "memory");

    @Test
    void aPodThatKeepsTheBalanceScoresThreeQuarters() {
        cluster.with("n", "cpu", "4", "memory", "4000");

        assertThat(scores(pod("p").container("cpu", "1", "memory", "1000"))).isEqualTo(Map.of("n", 75));
    }

    @Test
    void aPodIsSentWhereItEvensOutAndKeptFromWhereItTips() {
        cluster.with("even", "cpu", "4", "memory", "4000")
                .with("memory-heavy", "cpu", "4", "memory", "4000")
                .with("cpu-heavy", "cpu", "4", "memory", "4000")
                .place(pod("a").container("memory", "2000"), "memory-heavy")
                .place(pod("b").container("cpu", "2"), "cpu-heavy");

        // σ before and after: 0 → ¼, ¼ → 0, ¼ → ½
        assertThat(scores(pod("p").container("cpu", "2")))
                .isEqualTo(Map.of(
                        "even", 50 + (50 + 75 - 100) / 2,
                        "memory-heavy", 50 + (50 + 100 - 75) / 2,
                        "cpu-heavy", 50 + (50 + 50 - 75) / 2));
    }

    @Test
    void aResourceCannotBeUsedMoreThanWhole() {
        cluster.with("n", "cpu", "1", "memory", "1000").place(pod("old").container("cpu", "3", "memory", "1000"), "n");

        assertThat(scores(pod("p").container("cpu", "1"))).isEqualTo(Map.of("n", 75));
    }

    @Test
    void oneResourceIsAlwaysBalanced() {
        cluster.with("n", "cpu", "4").with("none");

        assertThat(scores(pod("p").container("cpu", "3", "memory", "1"))).isEqualTo(Map.of("n", 75, "none", 75));
    }

    @Test
    void moreThanTwoResourcesAreComparedByStandardDeviation() {
        cluster.with("n", "cpu", "10", "memory", "10", "example.com/gpu", "10");

        // fractions 0.1, 0.4, 0.7: σ = √0.06 = 0.2449…
        assertThat(cluster.scores(
                        cluster.balanced("cpu", "memory", "example.com/gpu"),
                        pod("p").container("cpu", "1", "memory", "4", "example.com/gpu", "7")
                                .build()))
                .isEqualTo(Map.of("n", 50 + (50 + 75 - 100) / 2));
    }

    @Test
    void scalarResourcesThatThePodDoesNotRequestAreLeftOut() {
        cluster.with("n", "cpu", "4", "memory", "4000", "example.com/gpu", "4")
                .place(pod("old").container("cpu", "1", "memory", "1000", "example.com/gpu", "4"), "n");

        assertThat(cluster.scores(
                        cluster.balanced("cpu", "memory", "example.com/gpu"),
                        pod("p").container("cpu", "1", "memory", "1000").build()))
                .isEqualTo(Map.of("n", 75));
    }

    @Test
    void trueRequestsCountWithoutDefaultsAndWithPodLevelOnes() {
        cluster.with("n", "cpu", "4", "memory", "4Gi")
                .place(pod("best-effort").container(), "n")
                .place(pod("old").container().podRequests("cpu", "1", "memory", "1Gi"), "n");

        assertThat(scores(pod("p").container("cpu", "1m").podRequests("cpu", "1", "memory", "1Gi")))
                .isEqualTo(Map.of("n", 75));
    }

    @Test
    void thereIsNothingToSayAboutAPodThatRequestsNoneOfTheResources() {
        cluster.with("n", "cpu", "4", "memory", "4000", "example.com/gpu", "1");

        assertThat(scores(pod("p").container())).isEmpty();
        assertThat(scores(pod("p").container("cpu", "0", "example.com/gpu", "1")))
                .isEmpty();
        assertThat(scores(pod("p").container("cpu", "1m"))).isNotEmpty();
    }

    @Test
    void aPodThatRequestsNothingScoresZeroWherePreScoreIsDisabled() {
        cluster.with("n", "cpu", "4", "memory", "4000");
        PodInfo pod = cluster.state.admit(pod("p").container().build());
        NodeScores scores = new NodeScores();

        plugin.scoreAll(
                new CycleState(), pod, cluster.state.view().nodes().present().copy(), scores);

        assertThat(scores.of(0)).isZero();
    }

    private Map<String, Integer> scores(PodBuilder pod) {
        return cluster.scores(plugin, pod.build());
    }
}
