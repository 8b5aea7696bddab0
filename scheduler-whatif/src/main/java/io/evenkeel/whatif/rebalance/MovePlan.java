package io.evenkeel.whatif.rebalance;

import java.util.List;

/**
 * Moves that put a cluster right.
 *
 * @param moves in the order in which they are made
 * @param optimal whether it is proved that no fewer moves reach as few violations, and no moves reach fewer
 * @param violationsBefore the pods whose hard constraints do not hold now
 * @param violationsAfter those when all moves are made
 */
public record MovePlan(List<Move> moves, boolean optimal, int violationsBefore, int violationsAfter) {
    public MovePlan {
        moves = List.copyOf(moves);
    }
}
