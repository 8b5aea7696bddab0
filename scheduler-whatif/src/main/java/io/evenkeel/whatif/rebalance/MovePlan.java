package io.evenkeel.whatif.rebalance;

import java.util.List;

/**
 * Moves that put a cluster right.
 *
 * @param moves in the order in which they are made
 * @param waves how many of them are evicted at once, so that every PodDisruptionBudget holds, and each fits at its turn once those of
 *     the wave are gone; moves beyond the waves fit at no turn that was found
 * @param optimal whether it is proved that no fewer moves reach as few violations, and no moves reach fewer
 * @param least what is proved: no moves leave fewer violations, and no fewer moves leave as few as these
 * @param violationsBefore the pods whose hard constraints do not hold now
 * @param violationsAfter those when all moves are made
 */
public record MovePlan(
        List<Move> moves,
        List<Integer> waves,
        boolean optimal,
        Bound least,
        int violationsBefore,
        int violationsAfter) {
    public MovePlan {
        moves = List.copyOf(moves);
        waves = List.copyOf(waves);
    }

    /** How many of the last moves fit at no turn that was found. */
    public int unordered() {
        return moves.size() - waves.stream().mapToInt(Integer::intValue).sum();
    }

    /** How many violations are left, and by how many moves. */
    public record Bound(int violations, int moves) {}
}
