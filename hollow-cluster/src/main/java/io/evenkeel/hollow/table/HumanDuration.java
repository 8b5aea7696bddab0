package io.evenkeel.hollow.table;

import java.time.Duration;

/** Ages as kubectl shows them: two units while the smaller one still says something. */
final class HumanDuration {

    private HumanDuration() {}

    static String of(Duration age) {
        long seconds = age.toSeconds();
        long minutes = seconds / 60;
        long hours = minutes / 60;
        long days = hours / 24;
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 120) {
            return Math.max(seconds, 0) + "s";
        }
        if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        if (days < 8) {
            return two(days, "d", hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        return days < 2920 ? two(days / 365, "y", days % 365, "d") : days / 365 + "y";
    }

    private static String two(long larger, String unit, long smaller, String smallerUnit) {
        return larger + unit + (smaller == 0 ? "" : smaller + smallerUnit);
    }
}
