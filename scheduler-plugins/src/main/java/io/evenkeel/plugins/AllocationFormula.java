package io.evenkeel.plugins;

import io.evenkeel.config.PluginArgs.ScoringStrategy;
import io.evenkeel.config.PluginArgs.UtilizationShape;

/** A formula for the score of a node with so much allocated. All arithmetic is that of int64, quotients truncated. */
sealed interface AllocationFormula {

    /** Times 100 less than 2⁵³. */
    long EXACT_AS_DOUBLE = 1L << 46;

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

    /**
     * The part in hundredths of the capacity, truncated. Doubles divide faster than longs, and as exactly up to a capacity of 64Ti:
     * the dividend is one of their whole numbers, and a quotient that is none is further from the next than they round.
     *
     * @param part 0 to the capacity
     */
    static long percent(long part, long capacity) {
        return capacity <= EXACT_AS_DOUBLE ? (long) ((double) (part * 100) / (double) capacity) : part * 100 / capacity;
    }

    /** Whether a resource of score 0 counts in the mean. */
    default boolean countsZeros() {
        return true;
    }

    /** Whether the score of a request between two is between theirs. */
    default boolean isMonotone() {
        return true;
    }

    default int mean(long weightedSum, long weights) {
        return (int) weightedSum / (int) weights;
    }

    /** Prefers empty nodes: (capacity − requested) · 100 / capacity. */
    record LeastAllocated() implements AllocationFormula {
        @Override
        public long score(long requested, long capacity) {
            return requested > capacity ? 0 : percent(capacity - requested, capacity);
        }
    }

    /** Prefers full nodes: requested · 100 / capacity, and 100 where the defaults for missing requests go beyond it. */
    record MostAllocated() implements AllocationFormula {
        @Override
        public long score(long requested, long capacity) {
            return percent(Math.min(requested, capacity), capacity);
        }
    }

    /**
     * Prefers what the operator has drawn: the shape at a utilization of requested · 100 / capacity. A resource of score 0
     * is left out of the mean, and the mean is rounded half away from zero.
     */
    record RequestedToCapacityRatio(UtilizationShape shape) implements AllocationFormula {
        @Override
        public long score(long requested, long capacity) {
            return shape.scoreAt(requested > capacity ? UtilizationShape.FULL : percent(requested, capacity));
        }

        @Override
        public boolean countsZeros() {
            return false;
        }

        @Override
        public boolean isMonotone() {
            return false;
        }

        @Override
        public int mean(long weightedSum, long weights) {
            return (int) ((2 * weightedSum + weights) / (2 * weights));
        }
    }
}
