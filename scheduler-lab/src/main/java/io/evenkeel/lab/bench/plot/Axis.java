package io.evenkeel.lab.bench.plot;

import java.util.List;

/** Where values stand on a line of pixels. The greater the value, the farther from where the line begins. */
sealed interface Axis permits LinearAxis, LogAxis {
    double at(double value);

    /** Values to mark, so many pixels apart at least. */
    List<Double> ticks(double leastGap);

    /** Whether two values are so many pixels apart, whichever way the line goes. */
    default boolean areApart(double one, double other, double leastGap) {
        return Math.abs(at(one) - at(other)) >= leastGap;
    }
}
