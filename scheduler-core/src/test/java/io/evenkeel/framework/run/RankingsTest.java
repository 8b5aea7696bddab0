package io.evenkeel.framework.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.DerivedColumn;
import io.evenkeel.cluster.node.NodeRanking;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.framework.run.ScoreRunner.Rankings;
import io.evenkeel.model.build.NodeBuilder;
import org.junit.jupiter.api.Test;

class RankingsTest {
    private final ClusterState cluster = new ClusterState();
    private final ClusterView view = cluster.view();
    private final Rankings rankings = new Rankings(view);
    private final Rankings.Sum sum = new Rankings.Sum();

    RankingsTest() {
        cluster.putNode(NodeBuilder.node("n1").build());
    }

    @Test
    void podsWithTheSameScoresShareARanking() {
        DerivedColumn one = view.derivations().columnOverUsage(_ -> 5);
        DerivedColumn two = view.derivations().columnOverUsage(_ -> 7);

        NodeRanking ranking = of(one, two);

        assertThat(of(one, two)).isSameAs(ranking);
        assertThat(of(one)).isNotSameAs(ranking);
        assertThat(ranking.of(0)).isEqualTo(2 * (5 + 7));
    }

    @Test
    void whoseScoresWereGivenBackAreForgotten() {
        DerivedColumn kept = view.derivations().columnOverUsage(_ -> 1);
        NodeRanking first = of(kept);
        for (int i = 0; i < 2_000; i++) {
            DerivedColumn column = view.derivations().columnOverUsage(_ -> 2);
            of(column);
            view.derivations().drop(column);
        }

        assertThat(rankings.size()).isLessThan(40);
        assertThat(of(kept)).isSameAs(first);
    }

    @Test
    void ofTheLeastLimitsNoneStaysOnceItsScoresAreGivenBack() {
        ClusterView least = new ClusterState(FeatureGates.DEFAULTS, ClusterLimits.LEAST).view();
        Rankings few = new Rankings(least);
        for (int i = 0; i < 3; i++) {
            DerivedColumn column = least.derivations().columnOverUsage(_ -> 2);
            sum.clear();
            sum.add(column, 1);
            few.of(sum);
            least.derivations().drop(column);

            assertThat(few.size()).isEqualTo(1);
        }
    }

    private NodeRanking of(DerivedColumn... columns) {
        sum.clear();
        for (DerivedColumn column : columns) {
            sum.add(column, 2);
        }
        return rankings.of(sum);
    }
}
