package io.evenkeel.engine.decision;

/** A judgement of how a node suits a pod that another scheduler has put there. */
public sealed interface Assessment {

    /** The pod fits there, and scores so much where the best node scores so much. */
    record Fits(long score, long best) implements Assessment {
        public boolean isBest() {
            return score == best;
        }
    }

    /** The pod does not fit there. */
    record Rejected(String reason) implements Assessment {}
}
