package io.evenkeel.app.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts of values by bucket, and their sum. One thread records, at the cost of some nanoseconds; any thread reads without
 * a lock. A reader sees each bucket whole and takes the count from the buckets that it has seen, so
 * the two never disagree; the sum may lag behind them by what was recorded in that moment.
 *
 * <p>Where several threads record they use {@link #recordShared}.
 */
final class Histogram {
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    private final Bounds bounds;
    /** A cell a bucket, then the sum. */
    private final long[] cells;

    Histogram(Bounds bounds) {
        this.bounds = bounds;
        this.cells = new long[bounds.buckets() + 1];
    }

    void record(long value) {
        add(bounds.bucketOf(value), 1);
        add(cells.length - 1, value);
    }

    synchronized void recordShared(long value) {
        record(value);
    }

    private void add(int cell, long more) {
        CELLS.setOpaque(cells, cell, (long) CELLS.getOpaque(cells, cell) + more);
    }

    /** The number of values in each bucket, without the values of smaller buckets. */
    long[] counts() {
        long[] counts = new long[bounds.buckets()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = (long) CELLS.getOpaque(cells, i);
        }
        return counts;
    }

    double sum() {
        return bounds.inUnits((long) CELLS.getOpaque(cells, cells.length - 1));
    }
}
