package io.evenkeel.app.cli.why;

import io.evenkeel.app.why.suppose.Supposition;
import io.evenkeel.app.why.suppose.SuppositionException;
import io.evenkeel.model.decode.cursor.Excerpt;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Suppositions as a user types them. */
final class Suppositions implements ITypeConverter<Supposition> {
    @Override
    public Supposition convert(String value) {
        try {
            return Supposition.parse(value)
                    .orElseThrow(() -> new TypeConversionException("expected one of "
                            + String.join("; ", Supposition.forms()) + ", got " + Excerpt.quoted(value)));
        } catch (SuppositionException senseless) {
            throw new TypeConversionException(senseless.getMessage());
        }
    }
}
