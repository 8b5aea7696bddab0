package io.evenkeel.app.cli;

import io.evenkeel.app.replay.AnswerFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Formats of answers by the values of --output, each for a width of lines. */
final class AnswerFormats implements ITypeConverter<IntFunction<AnswerFormat>> {
    private static final Map<String, IntFunction<AnswerFormat>> BY_NAME =
            new TreeMap<>(Map.of("json", AnswerFormats::json, "text", AnswerFormat::text));

    static AnswerFormat json(int columns) {
        return AnswerFormat.JSON;
    }

    @Override
    public IntFunction<AnswerFormat> convert(String value) {
        IntFunction<AnswerFormat> format = BY_NAME.get(value);
        if (format == null) {
            throw new TypeConversionException("expected json or text, got \"" + value + '"');
        }
        return format;
    }

    /** The values of --output. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return BY_NAME.keySet().iterator();
        }
    }
}
