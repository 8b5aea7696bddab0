package io.evenkeel.tools.cli;

import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The two formats of --output, for programs and for people, each for a width of lines. */
abstract class OutputFormats<F> implements ITypeConverter<IntFunction<F>> {
    private final F json;
    private final IntFunction<F> text;

    OutputFormats(F json, IntFunction<F> text) {
        this.json = json;
        this.text = text;
    }

    @Override
    public final IntFunction<F> convert(String value) {
        return switch (value) {
            case "json" -> _ -> json;
            case "text" -> text;
            default -> throw new TypeConversionException("expected json or text, got \"" + value + '"');
        };
    }

    /** The values of --output. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("json", "text").iterator();
        }
    }
}
