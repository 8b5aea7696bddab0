package io.evenkeel.model.value;

import java.math.BigDecimal;

/**
 * An amount of a resource, with the meaning of Kubernetes' {@code resource.Quantity}.
 *
 * <p>Kept as whole units and billionths of the same sign, which is exactly the precision that the API keeps: parsing
 * rounds a finer amount away from zero, because who asks for some of a resource must get some. Amounts beyond ±(2⁶³−1)
 * are capped there. (The API caps only binary suffixes, but leaves the int64 accessors undefined beyond.)
 *
 * <p>Two quantities are equal when they are the same number: {@code 1}, {@code 1000m} and {@code 1e0} are one value.
 *
 * @since 0.1
 */
public final class Quantity implements Comparable<Quantity> {
    public static final Quantity ZERO = new Quantity(0, 0);

    static final int NANOS = 1_000_000_000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private final long units;
    private final int nanos;

    Quantity(long units, int nanos) {
        this.units = Math.max(units, -Long.MAX_VALUE);
        this.nanos = nanos;
    }

    /**
     * Parses {@code 2}, {@code 100m}, {@code 1.5Gi}, {@code 1e3} and the like.
     *
     * @throws IllegalArgumentException if the text is not a quantity
     */
    public static Quantity parse(String text) {
        return new QuantityParser(text).parse();
    }

    public static Quantity of(long units) {
        return units == 0 ? ZERO : new Quantity(units, 0);
    }

    public static Quantity ofMilli(long milli) {
        return new Quantity(milli / 1000, (int) (milli % 1000) * NANOS_PER_MILLI);
    }

    /** Whole units, rounded away from zero. */
    public long value() {
        return units + Integer.signum(nanos);
    }

    /** Thousandths, rounded away from zero; saturates at the range of {@code long}. */
    public long milliValue() {
        long high = Math.multiplyHigh(units, 1000);
        long whole = units * 1000;
        if (high != (whole >> 63)) {
            return saturated();
        }
        int milli = nanos / NANOS_PER_MILLI + Integer.signum(nanos % NANOS_PER_MILLI);
        long sum = whole + milli;
        return whole != 0 && (whole ^ sum) < 0 ? saturated() : Math.max(sum, -Long.MAX_VALUE);
    }

    private long saturated() {
        return units > 0 ? Long.MAX_VALUE : -Long.MAX_VALUE;
    }

    public double doubleValue() {
        return units + nanos / (double) NANOS;
    }

    public int signum() {
        return units != 0 ? Long.signum(units) : Integer.signum(nanos);
    }

    /** The exact sum, capped like every quantity. */
    public Quantity plus(Quantity other) {
        int sumOfNanos = nanos + other.nanos;
        long sumOfUnits = saturatedSum(units, other.units);
        if (sumOfNanos >= NANOS || sumOfNanos <= -NANOS) {
            sumOfUnits = saturatedSum(sumOfUnits, sumOfNanos / NANOS);
            sumOfNanos %= NANOS;
        }
        if (sumOfUnits > 0 && sumOfNanos < 0) {
            return new Quantity(sumOfUnits - 1, sumOfNanos + NANOS);
        }
        if (sumOfUnits < 0 && sumOfNanos > 0) {
            return new Quantity(sumOfUnits + 1, sumOfNanos - NANOS);
        }
        return new Quantity(sumOfUnits, sumOfNanos);
    }

    /** The exact difference, capped like every quantity. */
    public Quantity minus(Quantity other) {
        return plus(other.negated());
    }

    public static long saturatedSum(long a, long b) {
        long sum = a + b;
        boolean overflowed = ((a ^ sum) & (b ^ sum)) < 0;
        return overflowed ? (a > 0 ? Long.MAX_VALUE : -Long.MAX_VALUE) : sum;
    }

    Quantity negated() {
        return new Quantity(-units, -nanos);
    }

    BigDecimal toBigDecimal() {
        return BigDecimal.valueOf(units).add(BigDecimal.valueOf(nanos, 9));
    }

    @Override
    public int compareTo(Quantity other) {
        int byUnits = Long.compare(units, other.units);
        return byUnits != 0 ? byUnits : Integer.compare(nanos, other.nanos);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantity that && units == that.units && nanos == that.nanos;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(units) + nanos;
    }

    /** A text that parses to the same value: binary suffixes where they fit, else thousandths or plain decimals. */
    @Override
    public String toString() {
        if (nanos == 0) {
            return wholeToString();
        }
        BigDecimal exact = toBigDecimal();
        return nanos % NANOS_PER_MILLI == 0
                ? exact.movePointRight(3).toBigInteger() + "m"
                : exact.stripTrailingZeros().toPlainString();
    }

    private String wholeToString() {
        int power = units == 0 ? 0 : Long.numberOfTrailingZeros(units) / 10;
        return power == 0 ? Long.toString(units) : (units >> (10 * power)) + QuantityParser.BINARY_SUFFIXES[power - 1];
    }
}
