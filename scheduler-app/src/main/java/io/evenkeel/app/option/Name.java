package io.evenkeel.app.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A name that must not be empty: an empty one most often comes from an unset variable. */
public final class Name implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
        if (value.isBlank()) {
            throw new TypeConversionException("must not be empty");
        }
        return value;
    }
}
