package io.evenkeel.app.option;

import java.math.BigDecimal;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Requests a second; negative for no limit, 0 for the default, as in a client connection. */
public final class Rate implements ITypeConverter<Float> {
    private static final BigDecimal LEAST = new BigDecimal("0.001");
    private static final BigDecimal MOST = new BigDecimal("1000000");

    @Override
    public Float convert(String value) {
        BigDecimal rate = parse(value);
        boolean tooSlow = rate.signum() > 0 && rate.compareTo(LEAST) < 0;
        if (tooSlow || rate.compareTo(MOST) > 0) {
            throw new TypeConversionException("must be between " + LEAST + " and " + MOST
                    + ", 0 for the default or negative for no limit, got " + value);
        }
        return rate.signum() < 0 ? -1f : rate.floatValue();
    }

    private static BigDecimal parse(String value) {
        try {
            return new BigDecimal(value);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("expected a number, got \"" + value + "\"");
        }
    }
}
