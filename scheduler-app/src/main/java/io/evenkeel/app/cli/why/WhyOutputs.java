package io.evenkeel.app.cli.why;

import io.evenkeel.app.why.WhyOutput;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The formats in which it is said why pods wait, by their names. */
final class WhyOutputs implements ITypeConverter<WhyOutput> {
    private static Stream<String> names() {
        return Arrays.stream(WhyOutput.values()).map(WhyOutput::written);
    }

    @Override
    public WhyOutput convert(String value) {
        return WhyOutput.named(value)
                .orElseThrow(() -> new TypeConversionException(
                        "expected " + names().collect(Collectors.joining(" or ")) + ", got \"" + value + '"'));
    }

    /** The values of --output. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return names().iterator();
        }
    }
}
