package io.evenkeel.plugins.noderesources;

import io.evenkeel.config.UtilizationShape;

/**
 * Prefers what the operator has drawn: the shape at a utilization of requested · 100 / capacity. A resource of score 0
 * is left out of the mean, and the mean is rounded half away from zero.
 */
record RequestedToCapacityRatio(UtilizationShape shape) implements AllocationFormula {
    @Override
    public long score(long requested, long capacity) {
        return shape.scoreAt(
                requested > capacity ? UtilizationShape.FULL : AllocationFormula.percent(requested, capacity));
    }

    @Override
    public boolean countsZeros() {
        return false;
    }

    @Override
    public int mean(long weightedSum, long weights) {
        return (int) ((2 * weightedSum + weights) / (2 * weights));
    }
}
