package io.evenkeel.plugins.noderesources;

/** Prefers full nodes: requested · 100 / capacity, and 100 where the defaults for missing requests go beyond it. */
record MostAllocated() implements AllocationFormula {
    @Override
    public long score(long requested, long capacity) {
        return AllocationFormula.percent(Math.min(requested, capacity), capacity);
    }
}
