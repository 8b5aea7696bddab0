package io.evenkeel.config.file;

import java.math.BigInteger;

/** The integers that a field takes. */
record Range(long min, long max) {
    public static final Range INT32 = new Range(Integer.MIN_VALUE, Integer.MAX_VALUE);
    public static final Range INT64 = new Range(Long.MIN_VALUE, Long.MAX_VALUE);
    public static final Range PERCENT = new Range(0, 100);

    public static Range int32From(int min) {
        return new Range(min, Integer.MAX_VALUE);
    }

    public static Range int64From(long min) {
        return new Range(min, Long.MAX_VALUE);
    }

    /** The error for a number outside. */
    String problem(BigInteger value) {
        boolean boundedBySize = max == Integer.MAX_VALUE || max == Long.MAX_VALUE;
        if (!boundedBySize) {
            return "must be between " + min + " and " + max + ", got " + value;
        }
        boolean tooSmall = value.compareTo(BigInteger.valueOf(min)) < 0;
        return "must be " + (tooSmall ? "at least " + min : "at most " + max) + ", got " + value;
    }

    boolean contains(BigInteger value) {
        return value.compareTo(BigInteger.valueOf(min)) >= 0 && value.compareTo(BigInteger.valueOf(max)) <= 0;
    }
}
