package io.evenkeel.lab.bench;

import io.evenkeel.problem.NearestName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a workload's name from the command line. */
final class WorkloadConverter implements ITypeConverter<WorkloadConverter.ChosenWorkload> {
    @Override
    public ChosenWorkload convert(String value) {
        if (value.startsWith(PerfWorkload.PREFIX)) {
            return find(value.substring(PerfWorkload.PREFIX.length()))
                    .orElseThrow(() -> new TypeConversionException(unknown(value) + all(PerfWorkload.ids())));
        }
        if (value.startsWith(GroupCase.PREFIX)) {
            return new ChosenWorkload.Group(size(value.substring(GroupCase.PREFIX.length())));
        }
        return Workload.find(value)
                .<ChosenWorkload>map(ChosenWorkload.Own::new)
                .orElseThrow(() -> new TypeConversionException(unknown(value) + nearestOf(value)));
    }

    private static Optional<ChosenWorkload> find(String name) {
        return PerfWorkload.find(name).map(ChosenWorkload.Reference::new);
    }

    private static int size(String digits) {
        try {
            int size = Integer.parseInt(digits);
            if (size >= 1 && size <= GroupCase.MOST) {
                return size;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw new TypeConversionException(
                "group-N has a number from 1 to " + GroupCase.MOST + " for N, the pods of a group, got " + digits);
    }

    private static String unknown(String value) {
        return "there is no workload \"" + value + '"';
    }

    private static String nearestOf(String value) {
        List<String> names = new ArrayList<>(ids());
        names.addAll(PerfWorkload.ids());
        String nearest = NearestName.hint(value, names);
        return nearest.isEmpty()
                ? all(ids()) + ", " + GroupCase.PREFIX + "N, and " + PerfWorkload.PREFIX + "NAME ("
                        + PerfWorkload.PREFIX + " alone lists them)"
                : nearest;
    }

    private static String all(List<String> names) {
        return "; there are " + String.join(", ", names);
    }

    private static List<String> ids() {
        return Arrays.stream(Workload.values()).map(Workload::id).toList();
    }

    /** Our own names, for the help and for completion, in which a colon would end a word. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ids().iterator();
        }
    }

    /** The workload named on the command line. */
    sealed interface ChosenWorkload {
        String id();

        /** One of our own. */
        record Own(Workload workload) implements ChosenWorkload {
            @Override
            public String id() {
                return workload.id();
            }
        }

        /** Groups of so many pods. */
        record Group(int size) implements ChosenWorkload {
            @Override
            public String id() {
                return GroupCase.PREFIX + size;
            }
        }

        /** One of the reference's. */
        record Reference(PerfWorkload workload) implements ChosenWorkload {
            @Override
            public String id() {
                return workload.id();
            }
        }
    }
}
