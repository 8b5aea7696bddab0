package io.evenkeel.framework.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.DerivedColumn;
import io.evenkeel.cluster.node.NodeRanking;
import io.evenkeel.cluster.node.NodeRanking.ScoreBounds;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.framework.run.ScoreRunner.Rankings;
import io.evenkeel.model.build.NodeBuilder;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RankingsTest {
    /** So many kinds have a ranking each without asking whether it is worth it. */
    private static final int FEW = 16;

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

    @Test
    void manyKindsThatScoreNearlyTheSameShareOne() {
        addNodes(200);
        List<NodeRanking> first = ask(kinds(100, 1));
        List<NodeRanking> second = ask(kinds(100, 2));

        assertThat(first.subList(FEW, 100)).containsOnly(first.getLast());
        assertThat(second).containsOnly(second.getLast()).doesNotContain(first.getLast());
        assertThat(first.getLast().of(5)).isEqualTo(2 * 3);
        assertThat(first.getLast().isVague(5)).isTrue();
    }

    @Test
    void oneThatIsAskedForOftenHasItsOwn() {
        addNodes(200);
        DerivedColumn kind = kinds(100, 1).getLast();
        ask(kinds(100, 1));

        assertThat(Stream.generate(() -> of(kind)).limit(4).map(ranking -> ranking.isVague(5)))
                .containsExactly(true, true, true, false);
    }

    @Test
    void theMoreKindsThereAreTheLessTheyHaveInCommon() {
        addNodes(300);
        List<DerivedColumn> kinds = IntStream.range(0, 1_000)
                .mapToObj(i -> kind(bits -> new Between(i >> (6 - bits))))
                .toList();
        ask(kinds);

        assertThat(ask(kinds).stream().skip(FEW).distinct()).hasSizeBetween(32, 64);
    }

    private void addNodes(int count) {
        for (int i = 0; i < count; i++) {
            cluster.putNode(NodeBuilder.node("more-" + i).build());
        }
    }

    private List<DerivedColumn> kinds(int count, int group) {
        return Stream.generate(() -> kind(_ -> new Between(group))).limit(count).toList();
    }

    private DerivedColumn kind(IntFunction<ScoreBounds> bounds) {
        return view.derivations().columnOverUsage(_ -> 2, Optional.of(bounds));
    }

    private List<NodeRanking> ask(List<DerivedColumn> kinds) {
        return kinds.stream().map(this::of).toList();
    }

    private record Between(int group) implements ScoreBounds {
        @Override
        public ScoreBounds upToDate() {
            return this;
        }

        @Override
        public int lowest(int node) {
            return 1;
        }

        @Override
        public int highest(int node) {
            return 3;
        }

        @Override
        public long reworked() {
            return 0;
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
