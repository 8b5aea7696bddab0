package io.evenkeel.lab.bench.plot;

import io.evenkeel.app.terminal.FailureException;
import io.evenkeel.lab.bench.suite.CaseName;
import io.evenkeel.lab.bench.suite.StoredCase;
import io.evenkeel.lab.bench.suite.StoredSuite;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * What is drawn side by side: the cases of the usual size, and those that are on no line, so that each case is drawn somewhere.
 *
 * @param now what the rates are called
 * @param then what those are called that they are compared with; empty where there are none
 */
record Bars(String subtitle, String now, Optional<String> then, List<Bar> bars) {
    /**
     * A case.
     *
     * @param detail in what it differs from the subtitle; empty where it does not
     */
    record Bar(String workload, String detail, double rate, OptionalDouble before) {
        /** How many times as much as before; empty where that cannot be said. */
        OptionalDouble ratio() {
            return before.isPresent() && before.getAsDouble() > 0
                    ? OptionalDouble.of(rate / before.getAsDouble())
                    : OptionalDouble.empty();
        }
    }

    Bars {
        bars = List.copyOf(bars);
    }

    static Bars of(StoredSuite now, Optional<StoredSuite> then, List<List<Line>> lines) {
        List<StoredCase> shown = shown(now.cases(), lines);
        List<CaseName> names = shown.stream().map(StoredCase::name).toList();
        Usual usual = Usual.of(names);
        Map<CaseName, Double> before = new HashMap<>();
        then.ifPresent(other ->
                other.cases().forEach(one -> before.put(one.name(), one.figure(Plots.PODS_PER_SECOND))));
        if (then.isPresent() && names.stream().noneMatch(before::containsKey)) {
            throw new FailureException("the baseline " + then.get().name() + " has none of the cases that are drawn of "
                    + now.name() + ": same workload, nodes, fill and pods");
        }
        List<Bar> bars = shown.stream()
                .map(one -> new Bar(
                        one.name().workload(),
                        usual.told(one.name()),
                        one.figure(Plots.PODS_PER_SECOND),
                        Optional.ofNullable(before.get(one.name()))
                                .map(OptionalDouble::of)
                                .orElse(OptionalDouble.empty())))
                .toList();
        return new Bars(usual.subtitle(names), now.name(), then.map(StoredSuite::name), bars);
    }

    /** All numbers that have a length. */
    List<Double> values() {
        return bars.stream()
                .flatMapToDouble(bar -> DoubleStream.concat(DoubleStream.of(bar.rate()), bar.before().stream()))
                .boxed()
                .toList();
    }

    private static List<StoredCase> shown(List<StoredCase> all, List<List<Line>> lines) {
        Usual usual = Usual.of(all.stream().map(StoredCase::name).toList());
        Set<StoredCase> onLines = new HashSet<>();
        lines.forEach(some -> some.forEach(line -> onLines.addAll(line.cases())));
        List<StoredCase> shown = all.stream()
                .filter(one -> usual.has(one.name()) || !onLines.contains(one))
                .toList();
        return shown.isEmpty() ? all : shown;
    }
}
