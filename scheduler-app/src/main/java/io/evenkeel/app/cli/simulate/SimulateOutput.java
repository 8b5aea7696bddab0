package io.evenkeel.app.cli.simulate;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What a simulation is printed as. */
enum SimulateOutput {
    TEXT,
    JSON,
    DUMP,
    SCENARIO;

    private String written() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The values of --output. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("dump", "json", "scenario", "text").iterator();
        }
    }

    /** Reads one. */
    static final class Converter implements ITypeConverter<SimulateOutput> {
        @Override
        public SimulateOutput convert(String value) {
            return Stream.of(values())
                    .filter(output -> output.written().equals(value))
                    .findFirst()
                    .orElseThrow(() ->
                            new TypeConversionException("expected dump, json, scenario or text, got \"" + value + '"'));
        }
    }
}
