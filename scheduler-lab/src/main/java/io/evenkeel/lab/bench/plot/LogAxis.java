package io.evenkeel.lab.bench.plot;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** An axis on which equal ratios are equally far apart. What is less than its least value stands there, as nothing has no place on it. */
record LogAxis(double least, double most, double from, double to) implements Axis {
    private static final int MOST_DECADES_APART = 8;

    LogAxis {
        if (least <= 0 || most <= least) {
            throw new IllegalArgumentException("no logarithmic axis is from " + least + " to " + most);
        }
    }

    /** From round numbers to round numbers. */
    static LogAxis covering(List<Double> values, double from, double to) {
        return between(values, from, to, value -> Steps.down(Steps.ALL, value));
    }

    /** From a power of ten that leaves a length to see even of the least value. */
    static LogAxis ofLengths(List<Double> values, double from, double to) {
        return between(values, from, to, value -> Steps.down(Steps.decades(1), value / 2));
    }

    private static LogAxis between(List<Double> values, double from, double to, DoubleUnaryOperator down) {
        List<Double> positive =
                values.stream().filter(value -> value > 0).sorted().toList();
        double least = down.applyAsDouble(positive.isEmpty() ? 1 : positive.getFirst());
        double greatest = positive.isEmpty() ? 1 : positive.getLast();
        double above = Steps.up(Steps.ALL, greatest);
        return new LogAxis(least, above > least ? above : Steps.up(Steps.ALL, least * 1.5), from, to);
    }

    @Override
    public double at(double value) {
        return from + (to - from) * Math.log(Math.max(value, least) / least) / Math.log(most / least);
    }

    @Override
    public List<Double> ticks(double leastGap) {
        Stream<List<Double>> decades =
                IntStream.rangeClosed(1, MOST_DECADES_APART).mapToObj(apart -> within(Steps.decades(apart)));
        return Stream.concat(Stream.of(within(Steps.ALL)), decades)
                .filter(ticks -> ticks.size() > 1 && allApart(ticks, leastGap))
                .findFirst()
                .orElseGet(() -> areApart(least, most, leastGap) ? List.of(least, most) : List.of(least));
    }

    private List<Double> within(List<Double> steps) {
        return steps.stream().filter(step -> step >= least && step <= most).toList();
    }

    private boolean allApart(List<Double> ticks, double leastGap) {
        return IntStream.range(1, ticks.size()).allMatch(i -> areApart(ticks.get(i - 1), ticks.get(i), leastGap));
    }
}
