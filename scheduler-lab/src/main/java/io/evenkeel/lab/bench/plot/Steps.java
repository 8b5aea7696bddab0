package io.evenkeel.lab.bench.plot;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Round numbers: 1, 2 and 5 times the powers of ten. */
final class Steps {
    private static final int LEAST_POWER = -3;
    private static final int MOST_POWER = 13;

    static final List<Double> ALL = powers(1)
            .flatMap(power -> Stream.of(1, 2, 5).map(times -> power.multiply(BigDecimal.valueOf(times))))
            .map(BigDecimal::doubleValue)
            .toList();

    private Steps() {}

    /** The powers of ten, or of a power of ten. */
    static List<Double> decades(int apart) {
        return powers(apart).map(BigDecimal::doubleValue).toList();
    }

    /** The greatest one that is not more. */
    static double down(List<Double> steps, double value) {
        return steps.stream()
                .filter(step -> step <= value)
                .reduce((_, last) -> last)
                .orElse(steps.getFirst());
    }

    /** The least one that is not less. */
    static double up(List<Double> steps, double value) {
        return steps.stream().filter(step -> step >= value).findFirst().orElse(steps.getLast());
    }

    private static Stream<BigDecimal> powers(int apart) {
        return IntStream.rangeClosed(LEAST_POWER, MOST_POWER)
                .filter(power -> power % apart == 0)
                .mapToObj(power -> BigDecimal.ONE.scaleByPowerOfTen(power));
    }
}
