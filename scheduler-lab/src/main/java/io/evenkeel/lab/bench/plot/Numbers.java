package io.evenkeel.lab.bench.plot;

import java.util.Locale;

/** Numbers for people, and for attributes. */
final class Numbers {
    private static final double LEAST_WITHOUT_FRACTION = 100;

    private Numbers() {}

    /** With separators of thousands, and a fraction only where it tells something. */
    static String of(double value) {
        if (value >= LEAST_WITHOUT_FRACTION || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        String exact = String.format(Locale.ROOT, value < 1 ? "%.3f" : "%.1f", value);
        return exact.replaceFirst("\\.?0+$", "");
    }

    static String counted(int count, String singular) {
        return of(count) + " " + singular + (count == 1 ? "" : "s");
    }

    /** How many times as much, by two digits at least. */
    static String ratio(double ratio) {
        return "× " + String.format(Locale.ROOT, ratio < 10 ? "%.2f" : ratio < 100 ? "%.1f" : "%,.0f", ratio);
    }

    /** A tenth of a pixel is as exact as can be seen. */
    static String pixels(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
