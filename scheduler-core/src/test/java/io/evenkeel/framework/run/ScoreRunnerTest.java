package io.evenkeel.framework.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.cycle.NodeScores;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScoreRunnerTest {
    private final ClusterView cluster = Fakes.nodes("n1", "n2");
    private final PodInfo pod = Fakes.pod();

    @Test
    void totalsAreTheWeightedSum() {
        assertThat(totals(
                        new int[] {2, 3},
                        new Fakes.Scorer("A", Status.SUCCESS, node -> node.equals("n1") ? 10 : 20),
                        new Fakes.Scorer("B", Status.SUCCESS, node -> 1)))
                .isEqualTo(Map.of("n1", 23L, "n2", 43L));
    }

    @Test
    void whoSkipsBeforehandDoesNotScore() {
        assertThat(totals(new int[] {1}, new Fakes.Scorer("A", Status.SKIP, node -> 50)))
                .isEqualTo(Map.of("n1", 0L, "n2", 0L));
    }

    @Test
    void scoresOneByOneAreNormalizedTogether() {
        ScorePlugin halving = new ScorePlugin() {
            @Override
            public String name() {
                return "Halving";
            }

            @Override
            public long score(CycleState state, PendingPod scored, NodeInfo node) {
                return node.name().equals("n1") ? 40 : 200;
            }

            @Override
            public void normalize(CycleState state, PendingPod scored, Scores scores) {
                scores.replaceAll(score -> score / 2);
            }
        };

        assertThat(totals(new int[] {1}, halving)).isEqualTo(Map.of("n1", 20L, "n2", 100L));
    }

    @Test
    void aScoreOutOfRangeFailsThePod() {
        assertThatThrownBy(() -> totals(new int[] {1}, new Fakes.Scorer("A", Status.SUCCESS, node -> 101)))
                .isInstanceOf(PluginFailure.class)
                .hasMessageContaining("running Score plugin \"A\": returns an invalid score 101 for node n1");
    }

    @Test
    void uniformScoresAddToEveryNode() {
        BatchScorePlugin uniform = new BatchScorePlugin() {
            @Override
            public String name() {
                return "Uniform";
            }

            @Override
            public void scoreAll(CycleState state, PodInfo scored, NodeSet feasible, NodeScores scores) {
                scores.uniform(100);
            }
        };

        assertThat(totals(
                        new int[] {3, 1},
                        uniform,
                        new Fakes.Scorer("B", Status.SUCCESS, node -> node.equals("n1") ? 1 : 2)))
                .isEqualTo(Map.of("n1", 301L, "n2", 302L));
    }

    private Map<String, Long> totals(int[] weights, Plugin... plugins) {
        List<PreScorePlugin> preScores = List.of(plugins).stream()
                .filter(PreScorePlugin.class::isInstance)
                .map(PreScorePlugin.class::cast)
                .toList();
        ScoreRunner runner = new ScoreRunner(cluster, preScores, List.of(plugins), weights, ProfileObserver.NONE);
        NodeSet feasible = cluster.nodes().present().copy();
        runner.run(new CycleState(), pod, feasible);
        return Fakes.byName(cluster, feasible, runner.totals());
    }
}
