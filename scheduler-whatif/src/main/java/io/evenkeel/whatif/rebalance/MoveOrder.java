package io.evenkeel.whatif.rebalance;

import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.EvictionBudgets;
import io.evenkeel.whatif.EvictionBudgets.Budget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Puts moves in an order in which each fits at its turn, and into waves: the pods of one may be evicted at once, as their
 * PodDisruptionBudgets let them, and their successors fit one after the other; the next wave begins when they are ready. As many as
 * can are in the first wave, and so on. Moves that fit only if several pods are gone, as those that change places, are a wave where
 * the budgets let them.
 */
public final class MoveOrder {
    /** So many successors are placed in thought for each move; then no more waves are looked for. */
    private static final int MOST_TRIES_A_MOVE = 50;

    private final ClusterSnapshot snapshot;
    private final List<Waiting> waiting = new ArrayList<>();
    private final List<Move> ordered = new ArrayList<>();
    private final List<Integer> waves = new ArrayList<>();
    private long triesLeft;

    /** A move with the budgets of its pod. */
    private record Waiting(Move move, List<Budget> budgets) {
        boolean isLet() {
            return EvictionBudgets.lets(move.pod(), budgets);
        }

        void goes() {
            EvictionBudgets.goes(move.pod(), budgets);
        }
    }

    private MoveOrder(ClusterSnapshot snapshot, List<Move> moves) {
        this.snapshot = snapshot;
        triesLeft = (long) MOST_TRIES_A_MOVE * moves.size();
    }

    /**
     * Moves in order.
     *
     * @param waves how many moves each wave has; moves beyond fit at no turn that was found
     */
    public record Waves(List<Move> moves, List<Integer> waves) {}

    /** On a snapshot where the moves are made; there they are made again in the end. */
    public static Waves of(ClusterSnapshot snapshot, List<Move> moves) {
        MoveOrder order = new MoveOrder(snapshot, moves);
        order.put(moves, Move::from);
        try (EvictionBudgets budgets = new EvictionBudgets(snapshot.view())) {
            for (Move move : moves) {
                int row = snapshot.view().pods().find(move.pod().key());
                order.waiting.add(new Waiting(move, budgets.of(row)));
            }
            for (List<Move> wave = order.wave(budgets); !wave.isEmpty(); wave = order.wave(budgets)) {
                Set<Move> made = new HashSet<>(wave);
                order.waves.add(wave.size());
                order.ordered.addAll(wave);
                order.waiting.removeIf(waiting -> made.contains(waiting.move()));
            }
        }
        List<Move> left = order.waiting.stream().map(Waiting::move).toList();
        order.put(left, Move::to);
        order.ordered.addAll(left);
        return new Waves(order.ordered, order.waves);
    }

    private void put(List<Move> moves, Function<Move, String> node) {
        moves.forEach(move -> snapshot.place(move.pod(), node.apply(move)));
    }

    /** The next wave, made; none if there is none. */
    private List<Move> wave(EvictionBudgets budgets) {
        budgets.reset();
        List<Move> wave = oneByOne();
        put(wave, Move::from);
        if (wave.isEmpty()) {
            return allAtOnce();
        }
        while (wave.size() > 1) {
            int fitting = fitting(wave);
            if (fitting == wave.size()) {
                return wave;
            }
            put(wave, Move::from);
            wave = wave.subList(0, Math.max(1, fitting));
        }
        put(wave, Move::to);
        return wave;
    }

    /** Makes moves one after the other, each once it fits and the budgets let it go beside those before, and returns these. */
    private List<Move> oneByOne() {
        List<Move> made = new ArrayList<>();
        List<Waiting> left = new ArrayList<>(waiting);
        int before = -1;
        while (made.size() > before) {
            before = made.size();
            left.removeIf(each -> {
                if (!each.isLet() || !fits(each.move())) {
                    return false;
                }
                each.goes();
                snapshot.place(each.move().pod(), each.move().to());
                return made.add(each.move());
            });
        }
        return made;
    }

    /** Evicts all at once and makes the first so many moves, which fit one after the other then. */
    private int fitting(List<Move> wave) {
        snapshot.preemptPods(wave.stream().map(Move::pod).toList());
        int fitting = 0;
        while (fitting < wave.size() && fits(wave.get(fitting))) {
            snapshot.place(wave.get(fitting).pod(), wave.get(fitting).to());
            fitting++;
        }
        return fitting;
    }

    /** As many as the budgets let go, where these fit only once all of them are gone. */
    private List<Move> allAtOnce() {
        List<Move> wave = new ArrayList<>();
        for (Waiting each : waiting) {
            if (each.isLet()) {
                each.goes();
                wave.add(each.move());
            }
        }
        if (fitting(wave) == wave.size()) {
            return wave;
        }
        put(wave, Move::from);
        return List.of();
    }

    private boolean fits(Move move) {
        triesLeft--;
        return triesLeft >= 0 && snapshot.fitsOn(move.pod(), move.to());
    }
}
