package io.evenkeel.whatif.goal;

import io.evenkeel.model.Pod;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MovePlan.Bound;
import java.util.List;

/** A goal on one cluster, asked of it as it is in thought at the moment. */
interface Aim {

    /** How much is against the goal. */
    int against();

    /** No moves leave less against it, and no fewer moves leave as little as that; closer once there was a suggestion. */
    Bound least();

    /** Moves that are likely to be good, found fast; none where none are found. The cluster is afterwards as it was. */
    List<Move> suggestion();

    /** Whether the pod is one to be moved for it, if it may move at all. */
    default boolean moves(Pod pod) {
        return true;
    }

    /** So many pods of the cluster are asked about at the price of one move in thought. */
    default int podsAMove() {
        return 16;
    }
}
