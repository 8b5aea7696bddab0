package io.evenkeel.app.option;

import io.evenkeel.model.value.Quantity;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of bytes as Kubernetes writes amounts, such as 512, 1K or 2Ki. */
public final class ByteSize implements ITypeConverter<Quantity> {
    @Override
    public Quantity convert(String value) {
        try {
            return Quantity.parse(value);
        } catch (IllegalArgumentException unreadable) {
            throw new TypeConversionException("expected a size such as 2Ki, got \"" + value + "\"");
        }
    }
}
