package io.evenkeel.lab.cli;

import io.evenkeel.lab.bench.suite.SuiteKind;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a suite's name from the command line. */
final class SuiteKindConverter implements ITypeConverter<SuiteKind> {
    @Override
    public SuiteKind convert(String value) {
        return SuiteKind.find(value)
                .orElseThrow(() -> new TypeConversionException(
                        "there is no suite \"" + value + "\"; there are " + String.join(", ", SuiteKind.ids())));
    }

    /** For the help and for completion. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return SuiteKind.ids().iterator();
        }
    }
}
