package io.evenkeel.tools.output;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values of an option {@code --output}. */
public abstract class OutputOption implements ITypeConverter<Output>, Iterable<String> {
    private final List<Output> values;

    private OutputOption(Output... values) {
        this.values = List.of(values);
    }

    public static final class Any extends OutputOption {
        Any() {
            super(Output.values());
        }
    }

    /** Of commands that have one form for programs and one for people. */
    public static final class JsonOrText extends OutputOption {
        JsonOrText() {
            super(Output.JSON, Output.TEXT);
        }
    }

    @Override
    public final Output convert(String value) {
        return Output.named(value)
                .filter(values::contains)
                .orElseThrow(() -> new TypeConversionException("expected "
                        + values.stream().map(Output::written).collect(Collectors.joining(" or ")) + ", got \"" + value
                        + '"'));
    }

    @Override
    public final Iterator<String> iterator() {
        return values.stream().map(Output::written).iterator();
    }
}
