package io.evenkeel.whatif.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.rebalance.MovePlan.Bound;
import io.evenkeel.whatif.rebalance.NaiveCluster.Best;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans against trying all sets of moves, on 4,000 random clusters of up to ten pods. {@code -Devenkeel.seed=7} runs one seed. */
class RebalancerPropertyTest {
    private static final int CLUSTERS = 100;

    static LongStream seeds() {
        return Rotation.seeds(20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void thereAreNoFewerMoves(long seed) {
        check(seed, false);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void thereAreNoFewerMovesByTwoKeys(long seed) {
        check(seed, true);
    }

    private static void check(long seed, boolean byTwoKeys) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < CLUSTERS; i++) {
            String where = "seed " + seed + "L, cluster " + i;
            NaiveCluster cluster = new NaiveCluster(random.split(), byTwoKeys);
            ClusterSnapshot snapshot = cluster.snapshot();
            MovePlan plan = Rebalancer.plan(snapshot);

            assertThat(ClusterAudit.differences(snapshot.view())).as(where).isEmpty();
            int[] after = cluster.at.clone();
            List<Integer> moved = new ArrayList<>();
            for (Move move : plan.moves()) {
                int pod = Integer.parseInt(move.pod().name().substring(1));
                assertThat(move.from()).as(where).isEqualTo("n" + cluster.at[pod]);
                after[pod] = Integer.parseInt(move.to().substring(1));
                moved.add(pod);
            }
            Best best = cluster.best();
            assertThat(plan.violationsBefore()).as(where).isEqualTo(cluster.violations(cluster.at));
            assertThat(plan.violationsAfter()).as(where).isEqualTo(cluster.violations(after));
            assertThat(cluster.isLegal(after)).as(where).isTrue();
            assertThat(cluster.moves(after)).as(where).isEqualTo(plan.moves().size());
            assertThat(plan.optimal()).as(where).isTrue();
            assertThat(new Best(plan.violationsAfter(), plan.moves().size()))
                    .as(where)
                    .isEqualTo(best);
            assertThat(plan.least()).as(where).isEqualTo(new Bound(best.violations(), best.moves()));
            int[] now = cluster.at.clone();
            int made = 0;
            for (int size : plan.waves()) {
                List<Integer> wave = moved.subList(made, made += size);
                assertThat(cluster.isWave(wave, now, after))
                        .as("%s, wave %s", where, wave)
                        .isTrue();
            }
        }
    }
}
