package io.evenkeel.whatif.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.goal.Goal;
import io.evenkeel.whatif.goal.GoalPlanner;
import io.evenkeel.whatif.rebalance.NaiveCluster.APod;
import io.evenkeel.whatif.rebalance.NaiveCluster.Best;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans for other goals against trying all sets of moves, each on 600 random clusters of up to seven pods. */
class GoalPropertyTest {
    private static final int CLUSTERS = 30;
    private static final int MOST_PODS = 7;

    static LongStream seeds() {
        return Rotation.seeds(20);
    }

    private interface Check {
        void check(String where, SplittableRandom random, NaiveCluster cluster);
    }

    private static void eachCluster(long seed, Check check) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int checked = 0; checked < CLUSTERS; ) {
            NaiveCluster cluster = new NaiveCluster(random.split());
            if (cluster.at.length <= MOST_PODS) {
                check.check("seed " + seed + "L, cluster " + checked++, random, cluster);
            }
        }
    }

    /** As if all constraints were hard, and where moves are legal by those that are, which may count other nodes then. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void softSpreadIsPutRight(long seed) {
        eachCluster(seed, (where, random, cluster) -> {
            long softOnes = random.nextLong();
            ClusterSnapshot hard = cluster.snapshot();
            NaiveCluster asItIs = cluster.with(spread -> !isSoft(softOnes, spread.key(), spread.maxSkew()));
            check(
                    where,
                    hard.fork(hard.configuration(), pod -> softened(pod, softOnes)),
                    new Goal.Spread(),
                    cluster,
                    places -> asItIs.isLegal(places) && !asItIs.breaks(places)
                            ? cluster.violations(places)
                            : Integer.MAX_VALUE);
        });
    }

    private static boolean isSoft(long softOnes, String key, int maxSkew) {
        return (softOnes >> (key.hashCode() + maxSkew & 63) & 1) == 1;
    }

    private static Pod softened(Pod pod, long softOnes) {
        return PodBuilder.from(pod)
                .topologySpread(pod.spec().topologySpread().stream()
                        .map(constraint -> isSoft(softOnes, constraint.topologyKey(), constraint.maxSkew())
                                ? constraint.whenUnsatisfiable(WhenUnsatisfiable.SCHEDULE_ANYWAY)
                                : constraint)
                        .toList())
                .build();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void asManyNodesAsPossibleAreEmptied(long seed) {
        eachCluster(
                seed,
                (where, _, cluster) -> check(
                        where,
                        cluster.snapshot(),
                        new Goal.EmptyNodes(Set.of()),
                        cluster,
                        places -> occupied(cluster, places, cluster.nodes.size())));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void namedNodesAreEmptied(long seed) {
        eachCluster(seed, (where, random, cluster) -> {
            int named = 1 + random.nextInt(cluster.nodes.size());
            Goal goal = new Goal.EmptyNodes(
                    Set.copyOf(IntStream.range(0, named).mapToObj(i -> "n" + i).toList()));
            check(where, cluster.snapshot(), goal, cluster, places -> occupied(cluster, places, named));
        });
    }

    /** Pods of an app have devices, and no others move. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void asManyNodesOfDevicesAsPossibleAreFree(long seed) {
        Predicate<APod> hasDevices = pod -> pod.app().equals("db");
        eachCluster(seed, (where, _, cluster) -> {
            ClusterSnapshot without = cluster.snapshot();
            ClusterSnapshot with = without.fork(
                    without.configuration(),
                    pod -> pod.labels().has("app", "db")
                            ? PodBuilder.from(pod)
                                    .container(NaiveCluster.GPUS, "1")
                                    .build()
                            : pod);
            check(
                    where,
                    with,
                    new Goal.Devices(),
                    cluster,
                    places -> occupied(cluster, places, cluster.nodes.size(), hasDevices),
                    hasDevices);
        });
    }

    private static int occupied(NaiveCluster cluster, int[] where, int nodes) {
        return occupied(cluster, where, nodes, _ -> true);
    }

    private static int occupied(NaiveCluster cluster, int[] where, int nodes, Predicate<APod> isOfSort) {
        return (int) IntStream.range(0, where.length)
                .filter(pod -> !cluster.pods.get(pod).terminating()
                        && !cluster.pods.get(pod).owner().equals("DaemonSet")
                        && isOfSort.test(cluster.pods.get(pod)))
                .map(pod -> where[pod])
                .filter(node -> node < nodes)
                .distinct()
                .count();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aPodFindsANode(long seed) {
        eachCluster(seed, (where, random, cluster) -> {
            APod like = cluster.pods.get(random.nextInt(cluster.pods.size()));
            NaiveCluster with = new NaiveCluster(cluster, like.waiting("more-0", 1 + random.nextInt(8)));
            check(
                    where,
                    cluster.snapshot(),
                    new Goal.Place(List.of(NaiveCluster.built(with.pods.getLast()))),
                    cluster,
                    places -> places(with, places) ? 0 : 1);
        });
    }

    /** Two, one after the other. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aGangFindsNodes(long seed) {
        eachCluster(seed, (where, random, cluster) -> {
            APod like = cluster.pods.get(random.nextInt(cluster.pods.size()));
            APod one = like.waiting("more-0", 1 + random.nextInt(4));
            APod other = cluster.pods.get(random.nextInt(cluster.pods.size())).waiting("more-1", 1 + random.nextInt(4));
            check(
                    where,
                    cluster.snapshot(),
                    new Goal.Place(List.of(NaiveCluster.built(one), NaiveCluster.built(other))),
                    cluster,
                    places -> places(cluster, one, other, places) || places(cluster, other, one, places) ? 0 : 2);
        });
    }

    private static boolean places(NaiveCluster cluster, APod first, APod second, int[] where) {
        NaiveCluster withFirst = new NaiveCluster(cluster, first);
        NaiveCluster withBoth = new NaiveCluster(withFirst, second);
        return IntStream.range(0, cluster.nodes.size()).anyMatch(node -> {
            int[] all = more(where, node);
            return withFirst.fits(where.length, all) && places(withBoth, all);
        });
    }

    /** Whether the last pod finds a node beside the others. */
    private static boolean places(NaiveCluster with, int[] others) {
        return IntStream.range(0, with.nodes.size()).anyMatch(node -> with.fits(others.length, more(others, node)));
    }

    private static int[] more(int[] where, int node) {
        return IntStream.concat(IntStream.of(where), IntStream.of(node)).toArray();
    }

    private static void check(
            String where, ClusterSnapshot snapshot, Goal goal, NaiveCluster cluster, ToIntFunction<int[]> against) {
        check(where, snapshot, goal, cluster, against, _ -> true);
    }

    private static void check(
            String where,
            ClusterSnapshot snapshot,
            Goal goal,
            NaiveCluster cluster,
            ToIntFunction<int[]> against,
            Predicate<APod> moves) {
        MovePlan plan = GoalPlanner.plan(snapshot, goal);

        assertThat(ClusterAudit.differences(snapshot.view())).as(where).isEmpty();
        int[] after = cluster.at.clone();
        for (Move move : plan.moves()) {
            int pod = Integer.parseInt(move.pod().name().substring(1));
            assertThat(move.from()).as(where).isEqualTo("n" + cluster.at[pod]);
            after[pod] = Integer.parseInt(move.to().substring(1));
        }
        assertThat(cluster.isLegal(after)).as(where).isTrue();
        assertThat(cluster.breaks(after)).as(where).isFalse();
        assertThat(cluster.moves(after)).as(where).isEqualTo(plan.moves().size());
        assertThat(plan.violationsBefore()).as(where).isEqualTo(against.applyAsInt(cluster.at));
        assertThat(plan.violationsAfter()).as(where).isEqualTo(against.applyAsInt(after));
        assertThat(plan.optimal()).as(where).isTrue();
        assertThat(new Best(plan.violationsAfter(), plan.moves().size()))
                .as(where)
                .isEqualTo(cluster.best(against, moves));
        // never a loop
        try (ClusterSnapshot.Transaction _ = snapshot.begin()) {
            plan.moves().forEach(move -> snapshot.place(move.pod(), move.to()));
            assertThat(GoalPlanner.plan(snapshot, goal).moves()).as(where).isEmpty();
        }
    }
}
