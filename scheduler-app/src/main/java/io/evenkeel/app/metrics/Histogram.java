package io.evenkeel.app.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Counts of values by bucket, and their sum. One thread records, at the cost of some nanoseconds; any thread reads without
 * a lock. A reader sees each bucket whole and takes the count from the buckets that it has seen, so
 * the two never disagree; the sum may lag behind them by what was recorded in that moment.
 *
 * <p>Where several threads record they use {@link #recordShared}.
 */
public final class Histogram {
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

    public synchronized void recordShared(long value) {
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

    /**
     * The upper bounds of a histogram's buckets, inclusive, in the unit that is shown, and what one of that unit is in the
     * whole numbers that are recorded.
     */
    public static final class Bounds {
        private static final long NANOS = 1_000_000_000;

        /** Multiplied one after the other, as the reference does, so that they are equal to the last digit. */
        public static Bounds exponentialSeconds(double start, double factor, int count) {
            return new Bounds(exponential(start, factor, count), NANOS);
        }

        static Bounds exponentialCount(int count) {
            return new Bounds(exponential(1, 2, count), 1);
        }

        static Bounds seconds(double... bounds) {
            return new Bounds(bounds.clone(), NANOS);
        }

        /** Of whole numbers, such as bytes. */
        static Bounds counts(double... bounds) {
            return new Bounds(bounds.clone(), 1);
        }

        private final double[] shown;
        private final long[] limits;
        private final long unit;

        private Bounds(double[] shown, long unit) {
            this.shown = shown;
            this.unit = unit;
            this.limits = new long[shown.length];
            for (int i = 0; i < shown.length; i++) {
                limits[i] = new BigDecimal(Double.toString(shown[i]))
                        .multiply(BigDecimal.valueOf(unit))
                        .setScale(0, RoundingMode.FLOOR)
                        .longValueExact();
            }
        }

        private static double[] exponential(double start, double factor, int count) {
            double[] bounds = new double[count];
            double bound = start;
            for (int i = 0; i < count; i++) {
                bounds[i] = bound;
                bound *= factor;
            }
            return bounds;
        }

        /** The number of buckets, the last of all values beyond included. */
        int buckets() {
            return limits.length + 1;
        }

        int bucketOf(long value) {
            int bucket = 0;
            while (bucket < limits.length && value > limits[bucket]) {
                bucket++;
            }
            return bucket;
        }

        /** The bounds as shown, infinity included. */
        double[] shown() {
            double[] all = new double[buckets()];
            System.arraycopy(shown, 0, all, 0, shown.length);
            all[shown.length] = Double.POSITIVE_INFINITY;
            return all;
        }

        double inUnits(long value) {
            return (double) value / unit;
        }
    }
}
