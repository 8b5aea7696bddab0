package io.evenkeel.app.option;

import java.math.BigInteger;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Whole numbers within bounds, which the nested converters name. */
public abstract class WholeNumber implements ITypeConverter<Integer> {
    private final int least;
    private final int most;

    WholeNumber(int least, int most) {
        this.least = least;
        this.most = most;
    }

    /** A port to listen on; 0 is left to the option to explain. */
    public static final class Port extends WholeNumber {
        private static final int LAST = 65_535;

        public Port() {
            super(0, LAST);
        }
    }

    /** Any that is not negative. */
    public static final class FromZero extends WholeNumber {
        public FromZero() {
            super(0, Integer.MAX_VALUE);
        }
    }

    /** Requests at once, as many as there may be in a second; 0 for the default. */
    public static final class Burst extends WholeNumber {
        private static final int MOST = 1_000_000;

        public Burst() {
            super(0, MOST);
        }
    }

    /** Any that fits a long; its bounds are checked where it is used. */
    public static final class Any extends WholeNumber {
        public Any() {
            super(Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
    }

    @Override
    public final Integer convert(String value) {
        BigInteger number = parse(value);
        boolean inside =
                number.compareTo(BigInteger.valueOf(least)) >= 0 && number.compareTo(BigInteger.valueOf(most)) <= 0;
        if (!inside) {
            throw new TypeConversionException(bounds() + ", got " + value);
        }
        return number.intValueExact();
    }

    private String bounds() {
        if (most < Integer.MAX_VALUE) {
            return "must be between " + least + " and " + most;
        }
        return least == Integer.MIN_VALUE ? "must fit 32 bits" : "must be at least " + least + " and fit 32 bits";
    }

    private static BigInteger parse(String value) {
        try {
            return new BigInteger(value);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("expected a whole number, got \"" + value + "\"");
        }
    }
}
