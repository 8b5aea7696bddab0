package io.evenkeel.whatif.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.whatif.moves.MoveRun.EvictionAnswer;
import io.evenkeel.whatif.moves.MoveRun.Limits;
import io.evenkeel.whatif.moves.SimulatedCluster.HeldPlace;
import io.evenkeel.whatif.moves.Step.Result;
import io.evenkeel.whatif.rebalance.Move;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Random moves in random clusters, in some of which all sorts of things go wrong: whatever comes, nothing stays held, no more is moved
 * at a time than is allowed, and no pod is evicted whose place is not held.
 */
class MoveRunPropertyTest {
    private static final int SEEDS = Integer.getInteger("evenkeel.seeds", 400);
    private static final Limits LIMITS =
            new Limits(4, 3, Duration.ofSeconds(30), Duration.ofSeconds(40), Duration.ofSeconds(90));

    @Test
    void withoutFaultsEachMoveEndsWhereThePlanWantsIt() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Played played = new Played(seed, false);
            played.play();
            assertThat(played.results).as("seed %d", seed).allMatch(Result.MOVED::equals);
            assertThat(played.results).as("seed %d", seed).hasSameSizeAs(played.moves);
            assertThat(played.ended).as("seed %d", seed).isEqualTo(played.wanted);
        }
    }

    @Test
    void whateverGoesWrongNothingStaysHeldAndNothingIsLost() {
        Set<Result> seen = EnumSet.noneOf(Result.class);
        for (long seed = 1; seed <= SEEDS; seed++) {
            Played played = new Played(seed, true);
            played.play();
            seen.addAll(played.results);
        }
        // that no result is missing shows that each fault was met
        assertThat(seen).containsExactlyInAnyOrder(Result.values());
    }

    /** One cluster with one plan. */
    private static final class Played {
        private final long seed;
        private final boolean isFaulty;
        private final Random random;
        private final SimulatedCluster cluster;
        private final MoveRun run = new MoveRun(LIMITS);
        final List<Move> moves = new ArrayList<>();
        final List<Result> results = new ArrayList<>();
        /** How many pods of each owner are on each node. */
        Map<String, Integer> wanted = new HashMap<>();

        Map<String, Integer> ended = new HashMap<>();
        private final Set<String> underway = new HashSet<>();
        private final Deque<Long> begun = new ArrayDeque<>();
        private final Set<String> evicted = new HashSet<>();
        private final Set<String> asked = new HashSet<>();
        private int left;
        private long now;

        Played(long seed, boolean isFaulty) {
            this.seed = seed;
            this.isFaulty = isFaulty;
            random = new Random(seed);
            cluster = new SimulatedCluster(new Random(seed));
            now = random.nextLong();
            draw();
        }

        private void draw() {
            for (int node = 0; node < 6; node++) {
                cluster.nodes.put("n" + node, 8);
            }
            int owners = 1 + random.nextInt(4);
            for (int owner = 0; owner < owners; owner++) {
                String name = "o" + owner;
                int many = 2 + random.nextInt(5);
                for (int pod = 0; pod < many; pod++) {
                    cluster.add(name, "n" + random.nextInt(3));
                }
                cluster.replicas.put(name, many);
                cluster.budgets.put(name, many - 1);
            }
            for (Pod pod : List.copyOf(cluster.pods.values())) {
                if (random.nextBoolean()) {
                    moves.add(new Move(pod, pod.spec().nodeName(), "n" + (3 + random.nextInt(3))));
                }
            }
            Map<String, Long> coming = new HashMap<>();
            moves.removeIf(move -> coming.merge(move.to(), 1L, Long::sum) > 8);
            wanted = counts();
            moves.forEach(move -> {
                String owner = SimulatedCluster.nameOfOwner(move.pod());
                wanted.computeIfPresent(owner + " " + move.from(), (_, many) -> many == 1 ? null : many - 1);
                wanted.merge(owner + " " + move.to(), 1, Integer::sum);
            });
        }

        private Map<String, Integer> counts() {
            Map<String, Integer> counts = new HashMap<>();
            cluster.pods.values().stream()
                    .filter(Pod::isPlaced)
                    .forEach(pod -> counts.merge(
                            SimulatedCluster.nameOfOwner(pod) + " " + pod.spec().nodeName(), 1, Integer::sum));
            return counts;
        }

        void play() {
            run.plan(moves);
            int abandonAt = isFaulty && random.nextInt(4) == 0 ? random.nextInt(200) : Integer.MAX_VALUE;
            for (int second = 0; !run.isIdle(); second++) {
                assertThat(second).as("seed %d: seconds", seed).isLessThan(10_000);
                now += TimeUnit.SECONDS.toNanos(1);
                if (isFaulty && random.nextInt(12) == 0) {
                    fault();
                }
                cluster.second();
                carryOut(second >= abandonAt ? run.abandon("stopped", now) : run.advance(cluster, now));
            }
            assertThat(cluster.holds).as("seed %d: held at the end", seed).isEmpty();
            assertThat(underway).as("seed %d: underway at the end", seed).isEmpty();
            assertThat(results.size() + left)
                    .as("seed %d: moves accounted for", seed)
                    .isEqualTo(moves.size());
            calmDown();
            ended = counts();
            for (String owner : cluster.owners()) {
                assertThat(cluster.of(owner))
                        .as("seed %d: pods of %s", seed, owner)
                        .hasSize(cluster.replicas.get(owner));
            }
        }

        private void calmDown() {
            for (int second = 0; second < 200; second++) {
                cluster.second();
            }
        }

        private void carryOut(List<Step> steps) {
            for (Step step : steps) {
                switch (step) {
                    case Step.Hold(Move move, Duration within) -> hold(move, within);
                    case Step.Evict(Move move, boolean _) -> evict(move);
                    case Step.Release(Move move) -> cluster.holds.remove(uid(move));
                    case Step.Ended(Move move, Result result, String _, Duration _) -> {
                        results.add(result);
                        if (result != Result.LEFT_ALONE) {
                            assertThat(underway.remove(SimulatedCluster.nameOfOwner(move.pod())))
                                    .as("seed %d: underway", seed)
                                    .isTrue();
                            assertThat(cluster.holds).as("seed %d", seed).doesNotContainKey(uid(move));
                        }
                    }
                    case Step.Stopped(String _, int many) -> left += many;
                }
            }
        }

        private static String uid(Move move) {
            return move.pod().meta().uid();
        }

        private void hold(Move move, Duration within) {
            assertThat(underway.add(SimulatedCluster.nameOfOwner(move.pod())))
                    .as("seed %d: one move of an owner at a time", seed)
                    .isTrue();
            assertThat(underway.size()).as("seed %d: underway", seed).isLessThanOrEqualTo(LIMITS.atOnce());
            assertThat(within).isEqualTo(LIMITS.heldFor());
            begun.add(now);
            begun.removeIf(when -> now - when >= TimeUnit.MINUTES.toNanos(1));
            assertThat(begun.size()).as("seed %d: within a minute", seed).isLessThanOrEqualTo(LIMITS.movesAMinute());
            if (!isFaulty || random.nextInt(20) != 0) {
                cluster.holds.put(uid(move), new HeldPlace(move.pod(), move.to()));
            }
        }

        private void evict(Move move) {
            Scene.Hold hold = cluster.hold(move.pod());
            if (!asked.contains(uid(move)) || !(hold instanceof Scene.Hold.Taken)) {
                assertThat(hold)
                        .as("seed %d: evicted while its place is held", seed)
                        .isEqualTo(Scene.Hold.OPEN);
                assertThat(asked.contains(uid(move)) ? Optional.empty() : cluster.unrest(move))
                        .as("seed %d: evicted of an owner at rest", seed)
                        .isEmpty();
            }
            assertThat(evicted).as("seed %d: evicted twice", seed).doesNotContain(uid(move));
            EvictionAnswer answer = answer(move);
            if (answer instanceof EvictionAnswer.Accepted) {
                evicted.add(uid(move));
            }
            carryOut(run.evicted(move, answer, now));
        }

        private EvictionAnswer answer(Move move) {
            if (isFaulty) {
                switch (random.nextInt(16)) {
                    case 0 -> {
                        return new EvictionAnswer.Never("forbidden");
                    }
                    case 1 -> {
                        return new EvictionAnswer.NotNow("no answer", Optional.empty());
                    }
                    case 2 -> {
                        cluster.evict(move.pod());
                        return new EvictionAnswer.NotNow("no answer", Optional.of(Duration.ofSeconds(9)));
                    }
                    case 3 -> {
                        asked.add(uid(move));
                        return new EvictionAnswer.Asked();
                    }
                    default -> {}
                }
            }
            return cluster.evict(move.pod());
        }

        private void fault() {
            List<Pod> pods = List.copyOf(cluster.pods.values());
            List<String> owners = List.copyOf(cluster.owners());
            String owner = owners.get(random.nextInt(owners.size()));
            switch (random.nextInt(9)) {
                case 0 -> cluster.delete(pods.get(random.nextInt(pods.size())));
                case 1 -> cluster.replicas.merge(owner, 1, Integer::sum);
                case 2 -> cluster.replicas.computeIfPresent(owner, (_, many) -> Math.max(1, many - 1));
                case 3 -> {
                    if (cluster.nodes.size() > 4) {
                        cluster.removeNode(
                                List.copyOf(cluster.nodes.keySet()).get(random.nextInt(cluster.nodes.size())));
                    }
                }
                case 4 -> cluster.broken.add(owner);
                case 5 -> cluster.holds.clear();
                case 6 -> {
                    // a second scheduler is faster
                    cluster.replicas.keySet().forEach(one -> {
                        if (cluster.staying(one).size() < cluster.replicas.get(one)) {
                            Pod pod = cluster.add(one, "");
                            cluster.holds.values().stream()
                                    .filter(place -> place.takenBy.isEmpty()
                                            && SimulatedCluster.nameOfOwner(place.pod)
                                                    .equals(one))
                                    .findFirst()
                                    .ifPresent(place -> place.takenBy =
                                            Optional.of(pod.meta().uid()));
                            cluster.nodes.keySet().stream()
                                    .filter(cluster::hasRoom)
                                    .findFirst()
                                    .ifPresent(node -> cluster.placeOn(pod, node));
                        }
                    });
                }
                case 7 -> {
                    if (!cluster.rollingOut.remove(owner)) {
                        cluster.rollingOut.add(owner);
                    }
                }
                default -> cluster.budgets.put(owner, cluster.replicas.get(owner));
            }
        }
    }
}
