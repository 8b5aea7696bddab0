package io.evenkeel.model.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;

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
public sealed class Quantity implements Comparable<Quantity> {
    public static final Quantity ZERO = new Quantity(0, 0);

    static final int NANOS = 1_000_000_000;
    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;
    private static final String DECIMAL_SUFFIXES = "kMGTPE";

    private final long units;
    private final int nanos;

    Quantity(long units, int nanos) {
        this.units = Math.max(units, -Long.MAX_VALUE);
        this.nanos = Math.abs(this.units) == Long.MAX_VALUE ? 0 : nanos;
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

    /** The same, which the API writes without a decimal suffix: an amount that Kubernetes has worked out and nobody has written. */
    public Quantity workedOut() {
        return new WorkedOut(units, nanos);
    }

    private static final class WorkedOut extends Quantity {
        WorkedOut(long units, int nanos) {
            super(units, nanos);
        }

        @Override
        public String canonical() {
            return toString();
        }
    }

    /** The text that the API makes of it: with a decimal suffix, or a binary one where it is shorter with that. */
    public String canonical() {
        String binary = toString();
        int thousands = 0;
        long left = units;
        while (nanos == 0 && left != 0 && left % 1000 == 0 && thousands < DECIMAL_SUFFIXES.length()) {
            left /= 1000;
            thousands++;
        }
        String decimal = thousands == 0 ? binary : left + DECIMAL_SUFFIXES.substring(thousands - 1, thousands);
        return binary.length() < decimal.length() ? binary : decimal;
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

    /** A text that parses to the same value: binary suffixes where they fit, else thousandths, millionths or billionths. */
    @Override
    public String toString() {
        if (nanos == 0) {
            return wholeToString();
        }
        if (nanos % NANOS_PER_MILLI == 0) {
            return text(1_000, "m");
        }
        return nanos % NANOS_PER_MICRO == 0 ? text(1_000_000, "u") : text(NANOS, "n");
    }

    /** The amount as a number of parts, of which a unit has so many. */
    private String text(int parts, String suffix) {
        boolean fits = Math.abs(units) < Long.MAX_VALUE / parts;
        String number = fits
                ? Long.toString(units * parts + nanos / (NANOS / parts))
                : toBigDecimal()
                        .multiply(BigDecimal.valueOf(parts))
                        .toBigInteger()
                        .toString();
        return number + suffix;
    }

    private String wholeToString() {
        int power = units == 0 ? 0 : Long.numberOfTrailingZeros(units) / 10;
        return power == 0 ? Long.toString(units) : (units >> (10 * power)) + QuantityParser.BINARY_SUFFIXES[power - 1];
    }

    /**
     * Parses the text of one quantity: sign, digits with at most one point, suffix. Ordinary values never leave {@code long}
     * arithmetic; only more than 18 digits, or exponents and fractions that overflow, take the way through BigDecimal.
     */
    private static final class QuantityParser {
        static final String[] BINARY_SUFFIXES = {"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

        private static final Quantity LARGEST = new Quantity(Long.MAX_VALUE, 0);
        private static final int MOST_DIGITS = 18;

        /**
         * Enough to round any amount exactly: where one of the least, 10⁻²⁸Ei, begins, and beyond the 69 decimals at the most
         * of a billionth divided by 2⁶⁰.
         */
        private static final int MOST_SIGNIFICANT = 128;

        private static final long[] POWERS_OF_TEN = new long[MOST_DIGITS + 1];

        static {
            POWERS_OF_TEN[0] = 1;
            for (int i = 1; i <= MOST_DIGITS; i++) {
                POWERS_OF_TEN[i] = 10 * POWERS_OF_TEN[i - 1];
            }
        }

        private final String text;
        private int position;
        private int numberStart;
        private int numberEnd;
        private int digits;
        private int decimals;
        private long mantissa;

        QuantityParser(String text) {
            this.text = text;
        }

        Quantity parse() {
            boolean negative = text.startsWith("-");
            if (negative || text.startsWith("+")) {
                position++;
            }
            readNumber();
            Quantity magnitude = readSuffix();
            return negative ? magnitude.negated() : magnitude;
        }

        private void readNumber() {
            numberStart = position;
            boolean seenDigit = false;
            boolean seenPoint = false;
            for (; position < text.length(); position++) {
                char c = text.charAt(position);
                if (c >= '0' && c <= '9') {
                    seenDigit = true;
                    digits += digits > 0 || c != '0' ? 1 : 0;
                    decimals += seenPoint ? 1 : 0;
                    mantissa = digits <= MOST_DIGITS ? 10 * mantissa + (c - '0') : mantissa;
                } else if (c == '.' && !seenPoint) {
                    seenPoint = true;
                } else {
                    break;
                }
            }
            numberEnd = position;
            if (!seenDigit) {
                throw malformed();
            }
        }

        private Quantity readSuffix() {
            int length = text.length() - position;
            if (length == 0) {
                return decimal(0);
            }
            char first = text.charAt(position);
            if (length == 1) {
                return decimal(decimalExponent(first));
            }
            if (first == 'e' || first == 'E') {
                if (first == 'E' && length == 2 && text.charAt(position + 1) == 'i') {
                    return binary(60);
                }
                return decimal(writtenExponent());
            }
            int index = Arrays.asList(BINARY_SUFFIXES).indexOf(text.substring(position));
            if (index < 0) {
                throw malformed();
            }
            return binary(10 * (index + 1));
        }

        private int decimalExponent(char suffix) {
            return switch (suffix) {
                case 'n' -> -9;
                case 'u' -> -6;
                case 'm' -> -3;
                case 'k' -> 3;
                case 'M' -> 6;
                case 'G' -> 9;
                case 'T' -> 12;
                case 'P' -> 15;
                case 'E' -> 18;
                default -> throw malformed();
            };
        }

        private int writtenExponent() {
            // parseInt takes the digits of every script
            if (text.chars().skip(position + 1L).anyMatch(c -> c > '9')) {
                throw malformed();
            }
            try {
                return Integer.parseInt(text, position + 1, text.length(), 10);
            } catch (NumberFormatException notAnExponent) {
                throw malformed();
            }
        }

        private Quantity decimal(int exponent) {
            if (digits == 0) {
                return Quantity.ZERO;
            }
            if (digits <= MOST_DIGITS && Math.abs((long) exponent - decimals) <= MOST_DIGITS) {
                return scaled(mantissa, exponent - decimals);
            }
            return slow(BigInteger.ONE, exponent);
        }

        private Quantity binary(int shift) {
            if (digits == 0) {
                return Quantity.ZERO;
            }
            boolean fits = digits <= MOST_DIGITS && Long.numberOfLeadingZeros(mantissa) > shift;
            return fits && decimals <= MOST_DIGITS
                    ? scaled(mantissa << shift, -decimals)
                    : slow(BigInteger.TWO.pow(shift), 0);
        }

        /** number · 10^exponent, for a positive number and −18 ≤ exponent ≤ 18. */
        private static Quantity scaled(long number, int exponent) {
            if (exponent >= 0) {
                boolean overflows = number > Long.MAX_VALUE / POWERS_OF_TEN[exponent];
                return overflows ? LARGEST : Quantity.of(number * POWERS_OF_TEN[exponent]);
            }
            long unit = POWERS_OF_TEN[-exponent];
            long rest = number % unit;
            long nanos = exponent >= -9
                    ? rest * POWERS_OF_TEN[9 + exponent]
                    : Math.ceilDiv(rest, POWERS_OF_TEN[-exponent - 9]);
            return withCarry(number / unit, nanos);
        }

        private static Quantity withCarry(long units, long nanos) {
            return nanos == Quantity.NANOS ? Quantity.of(units + 1) : new Quantity(units, (int) nanos);
        }

        private Quantity slow(BigInteger factor, int exponent) {
            BigDecimal number = number().multiply(new BigDecimal(factor));
            // Where the leading digit stands decides the extremes, before a huge exponent is ever written out in
            // digits.
            long leadingDigit = (long) number.precision() - number.scale() + exponent;
            if (leadingDigit > 19) {
                return LARGEST;
            }
            if (leadingDigit < -9) {
                return new Quantity(0, 1);
            }
            BigDecimal rounded = number.scaleByPowerOfTen(exponent).setScale(9, RoundingMode.UP);
            BigInteger[] parts = rounded.unscaledValue().divideAndRemainder(BigInteger.valueOf(Quantity.NANOS));
            return parts[0].bitLength() > 63 || parts[0].longValue() == Long.MAX_VALUE
                    ? LARGEST
                    : new Quantity(parts[0].longValue(), parts[1].intValue());
        }

        /**
         * The digits as a number. Of more than are significant it only counts whether any is not zero, for rounding up: so
         * this takes a time that grows with the text, not with its square.
         *
         * <pre>
         *   with three significant   123.4500 → 123.1   123.0000 → 123.0   0.00123 → 0.00123
         * </pre>
         */
        private BigDecimal number() {
            StringBuilder significant = new StringBuilder(MOST_SIGNIFICANT + 1);
            int dropped = 0;
            boolean anyDropped = false;
            for (int i = numberStart; i < numberEnd; i++) {
                char c = text.charAt(i);
                if (c == '.' || (c == '0' && significant.isEmpty())) {
                    continue;
                }
                if (significant.length() < MOST_SIGNIFICANT) {
                    significant.append(c);
                } else {
                    dropped++;
                    anyDropped |= c != '0';
                }
            }
            significant.append(anyDropped ? '1' : '0');
            return new BigDecimal(new BigInteger(significant.toString()), decimals - dropped + 1);
        }

        private IllegalArgumentException malformed() {
            return new IllegalArgumentException("\"" + text + "\" is not a quantity");
        }
    }
}
