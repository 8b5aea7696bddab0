package io.evenkeel.tools.moves;

import io.evenkeel.app.companion.Surroundings;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.HeldPlaces;
import io.evenkeel.whatif.moves.Scene.Hold;
import io.evenkeel.whatif.rebalance.Move;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Where the places of successors are held. */
sealed interface Places {

    /** These moves are to be made. */
    default void planned(List<Move> moves) {}

    /** Why no place can be held for the move. */
    Optional<String> objection(Move move, KnownCluster cluster);

    void hold(Move move, Duration within);

    void release(Move move);

    /** What has become of the places held for these pods. */
    Map<String, Hold> of(List<Pod> pods, KnownCluster cluster);

    /** By the scheduler in this process, which places the successors too. */
    final class ByScheduler implements Places {
        private final Surroundings around;
        private Set<String> withoutPlace = Set.of();

        ByScheduler(Surroundings around) {
            this.around = around;
        }

        @Override
        public void planned(List<Move> moves) {
            withoutPlace = around.answer(scheduler -> moves.stream()
                    .map(Move::pod)
                    .filter(pod -> !scheduler.queue().held().mayHold(pod))
                    .map(pod -> pod.meta().uid())
                    .collect(Collectors.toSet()));
        }

        @Override
        public Optional<String> objection(Move move, KnownCluster cluster) {
            return withoutPlace.contains(move.pod().meta().uid())
                    ? Optional.of(
                            "no place can be held for it: another scheduler places it, or it is placed with others")
                    : Optional.empty();
        }

        @Override
        public void hold(Move move, Duration within) {
            around.post(new OfPlace.Held(move.pod(), move.to(), within));
        }

        @Override
        public void release(Move move) {
            around.post(new OfPlace.Released(move.pod()));
        }

        @Override
        public Map<String, Hold> of(List<Pod> pods, KnownCluster cluster) {
            return around.answer(scheduler -> {
                HeldPlaces held = scheduler.queue().held();
                return pods.stream()
                        .collect(Collectors.toMap(
                                pod -> pod.meta().uid(),
                                pod -> held.takenBy(pod)
                                        .<Hold>map(Hold.Taken::new)
                                        .orElse(held.isHeld(pod) ? Hold.OPEN : Hold.NONE)));
            });
        }
    }

    /**
     * By nobody: a scheduler elsewhere places the successors. Only such moves are made as it would choose by itself, which is looked at
     * again right before the eviction; the first new pod of the owner is taken for the successor.
     */
    final class ByNobody implements Places {
        private final Map<String, Set<String>> before = new HashMap<>();
        private final Map<String, Move> moves = new HashMap<>();

        /** Beyond so many, kube-scheduler may compare only a part of the nodes that suit a pod. */
        private static final int COMPARED = 100;

        private static final int TOLD = 3;

        @Override
        public void hold(Move move, Duration within) {
            moves.put(move.pod().meta().uid(), move);
        }

        @Override
        public void release(Move move) {
            moves.remove(move.pod().meta().uid());
            before.remove(move.pod().meta().uid());
        }

        @Override
        public Map<String, Hold> of(List<Pod> pods, KnownCluster cluster) {
            Map<String, Hold> states = new HashMap<>();
            for (Pod pod : pods) {
                String uid = pod.meta().uid();
                if (moves.containsKey(uid)) {
                    OwnerReference owner = pod.meta().controller().orElseThrow();
                    Set<String> known = before.computeIfAbsent(
                            uid,
                            _ -> cluster.podsOf(owner).stream()
                                    .map(one -> one.meta().uid())
                                    .collect(Collectors.toCollection(HashSet::new)));
                    states.put(
                            uid,
                            cluster.podsOf(owner).stream()
                                    .map(one -> one.meta().uid())
                                    .filter(one -> !known.contains(one))
                                    .findFirst()
                                    .<Hold>map(Hold.Taken::new)
                                    .orElse(Hold.OPEN));
                }
            }
            return states;
        }

        @Override
        public Optional<String> objection(Move move, KnownCluster cluster) {
            List<String> chosen = cluster.chosenForSuccessor(move.pod(), COMPARED);
            return chosen.equals(List.of(move.to()))
                    ? Optional.empty()
                    : Optional.of("no place can be held from outside the scheduler, which may choose "
                            + (chosen.isEmpty() ? "no node" : some(chosen)) + " by itself");
        }

        private static String some(List<String> nodes) {
            return nodes.size() <= TOLD
                    ? String.join(", ", nodes)
                    : String.join(", ", nodes.subList(0, TOLD)) + " or " + (nodes.size() - TOLD) + " more";
        }
    }
}
