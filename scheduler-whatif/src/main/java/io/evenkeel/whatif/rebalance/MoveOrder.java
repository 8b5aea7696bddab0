package io.evenkeel.whatif.rebalance;

import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.EvictionBudgets;
import io.evenkeel.whatif.EvictionBudgets.Budget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Puts moves in an order in which each fits at its turn, and into waves: the pods of one may be evicted at once, as their
 * PodDisruptionBudgets let them, and their successors fit one after the other; the next wave begins when they are ready. As many as
 * can are in the first wave, and so on. Moves that fit only if several pods are gone, as those that change places, are a wave where
 * the budgets let them.
 */
final class MoveOrder {
    /** So many successors are placed in thought for each move; then no more waves are looked for. */
    private static final int MOST_TRIES_A_MOVE = 50;

    private final ClusterSnapshot snapshot;
    private final List<Move> waiting;
    private final List<Move> ordered = new ArrayList<>();
    private final List<Integer> waves = new ArrayList<>();
    private long triesLeft;

    private MoveOrder(ClusterSnapshot snapshot, List<Move> moves) {
        this.snapshot = snapshot;
        waiting = new ArrayList<>(moves);
        triesLeft = (long) MOST_TRIES_A_MOVE * moves.size();
    }

    /**
     * Moves in order.
     *
     * @param waves how many moves each wave has; moves beyond fit at no turn that was found
     */
    record Waves(List<Move> moves, List<Integer> waves) {}

    /** On a snapshot where the moves are made; there they are made again in the end. */
    static Waves of(ClusterSnapshot snapshot, List<Move> moves) {
        MoveOrder order = new MoveOrder(snapshot, moves);
        order.put(moves, Move::from);
        try (EvictionBudgets budgets = new EvictionBudgets(snapshot.view())) {
            while (!order.waiting.isEmpty()) {
                List<Move> wave = order.wave(budgets);
                if (wave.isEmpty()) {
                    break;
                }
                order.waves.add(wave.size());
                order.ordered.addAll(wave);
                order.waiting.removeAll(new HashSet<>(wave));
            }
        }
        order.put(order.waiting, Move::to);
        order.ordered.addAll(order.waiting);
        return new Waves(order.ordered, order.waves);
    }

    private void put(List<Move> moves, Function<Move, String> node) {
        moves.forEach(move -> snapshot.place(move.pod(), node.apply(move)));
    }

    /** The next wave, made; none if there is none. */
    private List<Move> wave(EvictionBudgets budgets) {
        budgets.reset();
        List<Move> wave = place(waiting, move -> lets(budgets, move));
        put(wave, Move::from);
        if (wave.isEmpty()) {
            budgets.reset();
            return allAtOnce(
                    waiting.stream().filter(move -> lets(budgets, move)).toList());
        }
        while (wave.size() > 1) {
            snapshot.preemptPods(pods(wave));
            int fitting = 0;
            while (fitting < wave.size() && fits(wave.get(fitting))) {
                snapshot.place(wave.get(fitting).pod(), wave.get(fitting).to());
                fitting++;
            }
            if (fitting == wave.size()) {
                return wave;
            }
            put(wave, Move::from);
            wave = wave.subList(0, Math.max(1, fitting));
        }
        put(wave, Move::to);
        return wave;
    }

    private List<Move> allAtOnce(List<Move> moves) {
        snapshot.preemptPods(pods(moves));
        List<Move> placed = place(moves, _ -> true);
        if (placed.size() == moves.size()) {
            return placed;
        }
        put(moves, Move::from);
        return List.of();
    }

    /** Whether the pod may go beside those of the wave that go already; if so it goes. */
    private boolean lets(EvictionBudgets budgets, Move move) {
        List<Budget> its = budgets.of(snapshot.view().pods().find(move.pod().key()));
        boolean lets = EvictionBudgets.lets(move.pod(), its);
        if (lets) {
            EvictionBudgets.goes(move.pod(), its);
        }
        return lets;
    }

    private static List<Pod> pods(List<Move> moves) {
        return moves.stream().map(Move::pod).toList();
    }

    /** Makes moves one after the other, each once it fits, and returns these. */
    private List<Move> place(List<Move> moves, Predicate<Move> lets) {
        List<Move> placed = new ArrayList<>();
        List<Move> left = new ArrayList<>(moves);
        int before = -1;
        while (placed.size() > before) {
            before = placed.size();
            left.removeIf(move -> {
                if (!fits(move) || !lets.test(move)) {
                    return false;
                }
                snapshot.place(move.pod(), move.to());
                return placed.add(move);
            });
        }
        return placed;
    }

    private boolean fits(Move move) {
        triesLeft--;
        return triesLeft >= 0 && snapshot.fitsOn(move.pod(), move.to());
    }
}
