package io.evenkeel.framework.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.node.DerivedColumn;
import io.evenkeel.cluster.node.NodeRanking;
import io.evenkeel.cluster.node.NodeRanking.KeptScores;
import io.evenkeel.cluster.node.NodeRanking.ScoreBounds;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.ScoreClasses;
import io.evenkeel.framework.run.ScoreRunner.BestNodes;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The best nodes are those that a look at each node finds, whatever has happened to the cluster since. */
class BestNodesTest {
    private static final int STEPS = 600;
    private static final int MOST_NODES = 300;
    private static final int MANY_NODES = 6_000;
    private static final int WEIGHT = 3;

    private final ClusterState cluster = new ClusterState();
    private final List<String> placed = new ArrayList<>();

    /** Of four pods on a node the same comes out as of none, and of few much: sums rise and fall, and many are equal. */
    private final DerivedColumn byPods = cluster.view()
            .derivations()
            .columnOverUsage(node -> cluster.view().nodes().podCount(node) * 7 % 4);

    private final Reworked reworked = new Reworked();
    private final NodeRanking ranking = cluster.view()
            .derivations()
            .ranking(List.of(new NodeRanking.Part(byPods, 2), new NodeRanking.Part(reworked, 1)));
    /** Of every third number of pods it is known only between which scores a node is, of every seventh not even that. */
    private final ScoreBounds bounds = new ScoreBounds() {
        @Override
        public ScoreBounds upToDate() {
            return this;
        }

        @Override
        public int lowest(int node) {
            return bound(node, -1);
        }

        @Override
        public int highest(int node) {
            return bound(node, 2);
        }

        @Override
        public long reworked() {
            return 0;
        }

        private int bound(int node, int off) {
            int pods = cluster.view().nodes().podCount(node);
            return pods % 7 == 6 ? NONE : byPods.of(node) + (pods % 3 == 1 ? off : 0);
        }
    };

    private final BestNodes best = new BestNodes();
    private final BestNodes bestOfClasses = new BestNodes();
    private int pods;

    /** Changes at all nodes at once. */
    private final class Reworked implements KeptScores {
        private int[] scores = {};
        private long times;

        void to(int[] next) {
            scores = next;
            times++;
        }

        @Override
        public Reworked upToDate() {
            if (scores.length < cluster.view().nodes().end()) {
                to(Arrays.copyOf(scores, cluster.view().nodes().end() + 10));
            }
            return this;
        }

        @Override
        public int of(int node) {
            return scores[node];
        }

        @Override
        public int[] column() {
            return scores;
        }

        @Override
        public long reworked() {
            return times;
        }

        @Override
        public boolean isDropped() {
            return false;
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theyAreThoseThatALookAtEachFinds(long seed) {
        theyAreThoseThatALookAtEachFinds(seed, ranking, 2);
    }

    @ParameterizedTest(name = "seed {0}, weight {1}")
    @CsvSource({"1, 2", "2, 2", "3, 2", "4, -2", "5, -2"})
    void theyAreTheSameByBounds(long seed, int weight) {
        theyAreThoseThatALookAtEachFinds(
                seed,
                cluster.view()
                        .derivations()
                        .ranking(List.of(new NodeRanking.Part(bounds, weight), new NodeRanking.Part(reworked, 1))),
                weight);
    }

    private void theyAreThoseThatALookAtEachFinds(long seed, NodeRanking ranking, int weight) {
        SplittableRandom random = new SplittableRandom(seed);
        IntUnaryOperator sums = node -> weight * byPods.of(node) + reworked.of(node);
        for (int step = 0; step < STEPS; step++) {
            change(random);
            NodeSet feasible = drawn(random, cluster.view().nodes().present());
            NodeScores scores = new NodeScores();
            ScoreClasses classes = classes(random, feasible, scores);

            NodeSet byRanking = best.among(feasible, ranking.current(), sums).copy();
            NodeSet byClasses = best.among(feasible, ranking.current(), sums, classes, WEIGHT)
                    .copy();

            long[] totals = totals(sums);
            assertThat(byRanking).as("seed %s step %s", seed, step).isEqualTo(naive(feasible, totals));
            scores.addTo(totals, WEIGHT, cluster.view().nodes().end());
            assertThat(byClasses).as("seed %s step %s", seed, step).isEqualTo(naive(feasible, totals));
            assertThat(best.among(feasible, totals)).isEqualTo(byClasses);
        }
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    /** Questions that differ little, one after the other, and now and then much; of so many blocks that few are looked at again. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void theyAreBroughtUpToDateFromOneQuestionToTheNext(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int node = 0; node < MANY_NODES; node++) {
            cluster.putNode(NodeBuilder.node("n" + node).build());
        }
        IntUnaryOperator sums =
                node -> 2 * byPods.of(node) + reworked.upToDate().of(node);
        NodeSet feasible = drawn(random, cluster.view().nodes().present());
        NodeSet preferred = drawn(random, feasible);
        for (int step = 0; step < STEPS; step++) {
            int changes = random.nextInt(20) == 0 ? 300 : random.nextInt(3);
            for (int change = 0; change < changes; change++) {
                int node = random.nextInt(MANY_NODES);
                feasible.set(node, random.nextBoolean());
                preferred.set(node, feasible.contains(node) && random.nextBoolean());
                String pod = "p" + pods++;
                cluster.putPod(PodBuilder.pod(pod)
                        .nodeName("n" + random.nextInt(MANY_NODES))
                        .build());
            }
            NodeScores scores = new NodeScores();
            ScoreClasses classes = scores.classes();
            classes.add(preferred, preferred, NodeSetView.NONE, random.nextInt(2));
            classes.add(feasible, feasible, preferred, 0);

            long[] totals = totals(sums);
            assertThat(best.among(feasible, ranking.current(), sums))
                    .as("seed %s step %s", seed, step)
                    .isEqualTo(naive(feasible, totals));
            scores.addTo(totals, WEIGHT, cluster.view().nodes().end());
            assertThat(bestOfClasses.among(feasible, ranking.current(), sums, classes, WEIGHT))
                    .as("seed %s step %s", seed, step)
                    .isEqualTo(naive(feasible, totals));
        }
    }

    @Test
    void theHighestSumFallsWithTheLastNodeThatHasIt() {
        for (int node = 0; node < MOST_NODES; node++) {
            cluster.putNode(NodeBuilder.node("n" + node).build());
        }

        assertThat(highestWithOneMoreOn("n1")).isEqualTo(6);
        assertThat(highestWithOneMoreOn("n200")).isEqualTo(6);
        assertThat(highestWithOneMoreOn("n1")).isEqualTo(6);
        assertThat(highestWithOneMoreOn("n200")).isEqualTo(4);
        assertThat(highestWithOneMoreOn("n200")).isEqualTo(4);
        assertThat(highestWithOneMoreOn("n1")).isEqualTo(2);
        assertThat(highestWithOneMoreOn("n7")).isEqualTo(6);
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    private int highestWithOneMoreOn(String node) {
        cluster.putPod(PodBuilder.pod("p" + pods++).nodeName(node).build());
        return ranking.current().highest();
    }

    @Test
    void aStaleRankingIsTold() {
        cluster.putNode(NodeBuilder.node("n1").build());
        int[] scores = {5};
        reworked.to(scores);
        ranking.current();
        scores[0] = 6;

        assertThat(ClusterAudit.differences(cluster.view())).containsExactly("ranking at node n1 kept 5, recounted 6");
    }

    private void change(SplittableRandom random) {
        String node = "n" + random.nextInt(MOST_NODES);
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> cluster.putNode(NodeBuilder.node(node).build());
            case 3 -> cluster.removeNode(node);
            case 4 -> {
                if (!placed.isEmpty()) {
                    cluster.removePod("default/" + placed.remove(random.nextInt(placed.size())));
                }
            }
            case 5 -> {
                if (random.nextInt(4) == 0) {
                    reworked.to(random.ints(cluster.view().nodes().end() + 10L, 0, 3)
                            .toArray());
                }
            }
            default -> {
                String name = "p" + pods++;
                cluster.putPod(PodBuilder.pod(name).nodeName(node).build());
                placed.add(name);
            }
        }
    }

    /** A partition into some of the sets that there are, and some nodes by themselves. */
    private static ScoreClasses classes(SplittableRandom random, NodeSet feasible, NodeScores scores) {
        ScoreClasses classes = scores.classes();
        NodeSet single = new NodeSet();
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            if (random.nextInt(30) == 0) {
                single.add(node);
                classes.add(node, random.nextInt(5));
            }
        }
        NodeSet one = drawn(random, feasible);
        NodeSet two = drawn(random, feasible);
        classes.add(one, two, single, random.nextInt(5));
        NodeSet singleOrTwo = single.copy();
        singleOrTwo.addAll(two);
        classes.add(one, one, singleOrTwo, random.nextInt(5));
        NodeSet singleOrOne = single.copy();
        singleOrOne.addAll(one);
        classes.add(feasible, feasible, singleOrOne, random.nextInt(5));
        return classes;
    }

    private static NodeSet drawn(SplittableRandom random, NodeSetView from) {
        NodeSet drawn = new NodeSet();
        int share = 1 + random.nextInt(8);
        for (int node = from.first(); node >= 0; node = from.next(node + 1)) {
            drawn.set(node, random.nextInt(share) == 0);
        }
        return drawn;
    }

    private long[] totals(IntUnaryOperator sums) {
        long[] totals = new long[cluster.view().nodes().end()];
        NodeSetView present = cluster.view().nodes().present();
        for (int node = present.first(); node >= 0; node = present.next(node + 1)) {
            totals[node] = sums.applyAsInt(node);
        }
        return totals;
    }

    private static NodeSet naive(NodeSet feasible, long[] totals) {
        long highest = Long.MIN_VALUE;
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            highest = Math.max(highest, totals[node]);
        }
        NodeSet naive = new NodeSet();
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            naive.set(node, totals[node] == highest);
        }
        return naive;
    }
}
