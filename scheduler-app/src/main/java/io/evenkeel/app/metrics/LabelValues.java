package io.evenkeel.app.metrics;

import io.evenkeel.app.option.NameList;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values that a label of a metric may have. */
record LabelValues(String metric, String label, Set<String> values) {
    private static final Pattern KEY = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*),([a-zA-Z_][a-zA-Z0-9_]*)");

    LabelValues {
        values = Set.copyOf(values);
    }

    @Override
    public String toString() {
        return metric + "," + label + "=" + String.join(",", values);
    }

    static LabelValues of(String key, String values) {
        Matcher names = KEY.matcher(key);
        if (!names.matches()) {
            throw new TypeConversionException("expected METRIC,LABEL, got \"" + key + "\"");
        }
        return new LabelValues(
                names.group(1),
                names.group(2),
                Set.copyOf(new NameList.Converter().convert(values).names()));
    }

    /** Reads {@code metric,label=value,value}. */
    static final class Converter implements ITypeConverter<LabelValues> {
        @Override
        public LabelValues convert(String value) {
            int equals = value.indexOf('=');
            if (equals < 0) {
                throw new TypeConversionException("expected METRIC,LABEL=VALUE,..., got \"" + value + "\"");
            }
            return of(value.substring(0, equals), value.substring(equals + 1));
        }
    }
}
