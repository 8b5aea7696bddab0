package io.evenkeel.plugins.noderesources;

/** Prefers empty nodes: (capacity − requested) · 100 / capacity. */
record LeastAllocated() implements AllocationFormula {
    @Override
    public long score(long requested, long capacity) {
        return requested > capacity ? 0 : AllocationFormula.percent(capacity - requested, capacity);
    }
}
