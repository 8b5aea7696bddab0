package io.evenkeel.lab.bench.plot;

import java.util.List;
import java.util.stream.LongStream;

/** An axis that begins at 0. */
record LinearAxis(double most, double from, double to) implements Axis {
    private static final int MOST_TICKS = 6;

    /** One that ends at a round number which is not less than any of the values. */
    static LinearAxis covering(List<Double> values, double from, double to) {
        double greatest =
                Math.max(values.stream().mapToDouble(Double::doubleValue).max().orElse(0), 1);
        double step = Steps.up(Steps.ALL, greatest / MOST_TICKS);
        return new LinearAxis(step * Math.ceil(greatest / step), from, to);
    }

    @Override
    public double at(double value) {
        return from + (to - from) * value / most;
    }

    @Override
    public List<Double> ticks(double leastGap) {
        double step = Steps.ALL.stream()
                .filter(one -> areApart(0, one, leastGap) && one >= most / MOST_TICKS)
                .findFirst()
                .orElse(most);
        return LongStream.rangeClosed(0, (long) Math.floor(most / step + 1e-9))
                .mapToObj(times -> times * step)
                .toList();
    }
}
