package io.evenkeel.app.option;

import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A boolean in all spellings that Go's flags take. */
public final class GoBool implements ITypeConverter<Boolean> {
    private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");
    private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");

    @Override
    public Boolean convert(String value) {
        return parse(value)
                .orElseThrow(() -> new TypeConversionException("expected true or false, got \"" + value + "\""));
    }

    static Optional<Boolean> parse(String value) {
        if (TRUE.contains(value)) {
            return Optional.of(true);
        }
        return FALSE.contains(value) ? Optional.of(false) : Optional.empty();
    }
}
