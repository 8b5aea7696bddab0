package io.evenkeel.app.cli;

import io.evenkeel.app.option.Converters.GoBool;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** One of a few texts; any other is refused with a reason. */
record OneOf(String why, List<String> texts) implements ITypeConverter<String> {
    public static OneOf of(String why, String... texts) {
        return new OneOf(why, List.of(texts));
    }

    /** A boolean that can only be false. */
    public static ITypeConverter<Boolean> no(String why) {
        GoBool bool = new GoBool();
        return value -> {
            if (bool.convert(value)) {
                throw new TypeConversionException("cannot be true: " + why);
            }
            return false;
        };
    }

    @Override
    public String convert(String value) {
        if (!texts.contains(value)) {
            throw new TypeConversionException("expected "
                    + texts.stream().filter(text -> !text.isEmpty()).collect(Collectors.joining(" or ")) + ", got \""
                    + value + "\": " + why);
        }
        return value;
    }
}
