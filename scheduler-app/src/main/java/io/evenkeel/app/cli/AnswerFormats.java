package io.evenkeel.app.cli;

import io.evenkeel.app.replay.AnswerFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How answers can be written, by the names that are typed. */
final class AnswerFormats implements ITypeConverter<AnswerFormat> {
    private static final Map<String, AnswerFormat> BY_NAME =
            new TreeMap<>(Map.of("json", AnswerFormat.JSON, "text", AnswerFormat.TEXT));

    @Override
    public AnswerFormat convert(String value) {
        AnswerFormat format = BY_NAME.get(value);
        if (format == null) {
            throw new TypeConversionException("there are json and text, got \"" + value + '"');
        }
        return format;
    }

    /** As they are typed. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return BY_NAME.keySet().iterator();
        }
    }
}
