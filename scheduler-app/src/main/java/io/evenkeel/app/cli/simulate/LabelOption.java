package io.evenkeel.app.cli.simulate;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A label by key and value. */
record LabelOption(String key, String value) {

    /** Reads one. */
    static final class Converter implements ITypeConverter<LabelOption> {
        @Override
        public LabelOption convert(String value) {
            int equals = value.indexOf('=');
            if (equals < 1) {
                throw new TypeConversionException("expected LABEL=VALUE, such as zone=a, got \"" + value + '"');
            }
            return new LabelOption(value.substring(0, equals), value.substring(equals + 1));
        }
    }
}
