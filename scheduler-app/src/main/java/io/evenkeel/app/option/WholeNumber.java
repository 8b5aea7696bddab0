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

    @Override
    public final Integer convert(String value) {
        BigInteger number = parse(value);
        boolean inside =
                number.compareTo(BigInteger.valueOf(least)) >= 0 && number.compareTo(BigInteger.valueOf(most)) <= 0;
        if (!inside) {
            throw new TypeConversionException(
                    most == Integer.MAX_VALUE
                            ? "must be at least " + least + " and fit 32 bits, got " + value
                            : "must be between " + least + " and " + most + ", got " + value);
        }
        return number.intValueExact();
    }

    private static BigInteger parse(String value) {
        try {
            return new BigInteger(value);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("expected a whole number, got \"" + value + "\"");
        }
    }
}
