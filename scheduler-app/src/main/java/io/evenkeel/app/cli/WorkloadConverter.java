package io.evenkeel.app.cli;

import io.evenkeel.app.bench.Workload;
import java.util.Arrays;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a workload's name from the command line. */
final class WorkloadConverter implements ITypeConverter<Workload> {
    @Override
    public Workload convert(String value) {
        return Workload.find(value)
                .orElseThrow(() -> new TypeConversionException(
                        "there is no workload \"" + value + "\"; there are " + String.join(", ", new Names())));
    }

    /** All names, for the help. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Workload.values()).map(Workload::id).iterator();
        }
    }
}
