package io.evenkeel.lab.cli;

import io.evenkeel.config.problem.NearestName;
import io.evenkeel.lab.bench.Workload;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a workload's name from the command line. */
final class WorkloadConverter implements ITypeConverter<Workload> {
    @Override
    public Workload convert(String value) {
        return Workload.find(value).orElseThrow(() -> new TypeConversionException(unknown(value)));
    }

    private static String unknown(String value) {
        List<String> names = Arrays.stream(Workload.values()).map(Workload::id).toList();
        String nearest = NearestName.hint(value, names);
        return "there is no workload \"" + value + '"'
                + (nearest.isEmpty() ? "; there are " + String.join(", ", names) : nearest);
    }

    /** All names, for the help. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Workload.values()).map(Workload::id).iterator();
        }
    }
}
