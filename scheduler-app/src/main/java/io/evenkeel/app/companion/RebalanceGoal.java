package io.evenkeel.app.companion;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What pods are moved for. */
public enum RebalanceGoal {
    CONSTRAINTS,
    SPREAD,
    POLICIES,
    EMPTY_NODES,
    PLACE,
    DEVICES;

    /** As it is typed. */
    public String written() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** One of some goals. */
    private abstract static class Named implements ITypeConverter<RebalanceGoal>, Iterable<String> {
        private final List<RebalanceGoal> goals;

        Named(List<RebalanceGoal> goals) {
            this.goals = goals;
        }

        @Override
        public RebalanceGoal convert(String value) {
            return goals.stream()
                    .filter(goal -> goal.written().equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("expected one of "
                            + goals.stream().map(RebalanceGoal::written).collect(Collectors.joining(", ")) + ", got \""
                            + value + '"'));
        }

        @Override
        public Iterator<String> iterator() {
            return goals.stream().map(RebalanceGoal::written).iterator();
        }
    }

    /** One of all goals. */
    public static final class Any extends Named {
        public Any() {
            super(List.of(values()));
        }
    }

    /** One that is there again and again: not that certain pods are placed. */
    public static final class Lasting extends Named {
        public Lasting() {
            super(Arrays.stream(values()).filter(goal -> goal != PLACE).toList());
        }
    }
}
