package io.evenkeel.plugins.noderesources;

import io.evenkeel.config.args.ScoringStrategy;
import io.evenkeel.config.args.UtilizationShape;

/** A formula for the score of a node of which so much is allocated. All arithmetic is that of int64, quotients truncated. */
sealed interface AllocationFormula permits LeastAllocated, MostAllocated, RequestedToCapacityRatio {

    static AllocationFormula of(ScoringStrategy strategy) {
        return switch (strategy.type()) {
            case LEAST_ALLOCATED -> new LeastAllocated();
            case MOST_ALLOCATED -> new MostAllocated();
            case REQUESTED_TO_CAPACITY_RATIO -> new RequestedToCapacityRatio(UtilizationShape.of(strategy.shape()));
        };
    }

    /**
     * The score of one resource, 0 to 100.
     *
     * @param requested by the node's pods and the new one
     * @param capacity allocatable, not 0
     */
    long score(long requested, long capacity);

    /** Whether a resource of score 0 counts in the mean. */
    default boolean countsZeros() {
        return true;
    }

    default int mean(long weightedSum, long weights) {
        return (int) (weightedSum / weights);
    }
}
