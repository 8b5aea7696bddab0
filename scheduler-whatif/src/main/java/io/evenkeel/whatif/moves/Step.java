package io.evenkeel.whatif.moves;

import io.evenkeel.whatif.rebalance.Move;
import java.time.Duration;

/** What is to be done next, or what has come of a move. */
public sealed interface Step {

    /** Holds the target for the next pod of the owner, for no longer than this. */
    record Hold(Move move, Duration within) implements Step {}

    /**
     * Has the pod go; {@link MoveRun#evicted} is told the answer.
     *
     * @param hasSuccessor whether another is ready already where its successor is to be
     */
    record Evict(Move move, boolean hasSuccessor) implements Step {}

    /** Lets the place go, if it is still held. */
    record Release(Move move) implements Step {}

    /**
     * The move is over; what was held for it is let go already.
     *
     * @param why in words, empty where there is nothing to add
     */
    record Ended(Move move, Result result, String why, Duration took) implements Step {}

    /**
     * No more moves of the plan are begun.
     *
     * @param left how many were not
     */
    record Stopped(String why, int left) implements Step {}

    /** What has come of a move. */
    enum Result {
        /** The successor is ready on the node that it was to go to. */
        MOVED("moved"),
        /** Not begun, as the owner is to be left alone now. */
        LEFT_ALONE("left-alone"),
        /** The cluster is another than the plan thinks: not evicted. */
        DRIFTED("drifted"),
        /** The place could not be held, or was lost before the eviction. */
        UNHELD("unheld"),
        /** Another pod of the owner took the place before the eviction. */
        TAKEN("taken"),
        /** The API server did not let the pod go within the time, as budgets do not allow. */
        REFUSED("refused"),
        /** The API server may not, or cannot, evict the pod. */
        FAILED("failed"),
        /** The successor is on another node. */
        ELSEWHERE("elsewhere"),
        /** The successor did not come, or was not ready, within the time. */
        LATE("late"),
        /** The successor went before it was ready. */
        LOST("lost"),
        /** The owner needs no successor any more. */
        UNNEEDED("unneeded"),
        /** Whoever carried the moves out stopped. */
        ABANDONED("abandoned");

        private final String label;

        Result(String label) {
            this.label = label;
        }

        /** As metrics, logs and reports name it. */
        public String label() {
            return label;
        }

        /** Whether the rest of the plan is still worth its moves. */
        public boolean isAsPlanned() {
            return this == MOVED || this == LEFT_ALONE;
        }
    }
}
