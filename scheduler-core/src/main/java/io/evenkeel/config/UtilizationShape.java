package io.evenkeel.config;

import java.util.List;

/**
 * A piecewise linear function from a utilization of 0 to 100 per cent to a score of 0 to 100: straight from one point
 * to the next, quotients truncated towards zero, level before the first point and after the last. Since utilization is a
 * whole number, it is kept as a table.
 */
public final class UtilizationShape {
    public static final int FULL = 100;

    /** Points are configured with scores up to 10. */
    private static final int SCALE = 10;

    private final int[] scores = new int[FULL + 1];

    private UtilizationShape(List<ShapePoint> points) {
        for (int utilization = 0; utilization <= FULL; utilization++) {
            scores[utilization] = interpolate(points, utilization);
        }
    }

    /** The shape through at least one point; points rise in utilization. */
    public static UtilizationShape of(List<ShapePoint> points) {
        return new UtilizationShape(points);
    }

    public int scoreAt(long utilization) {
        return scores[Math.clamp(utilization, 0, FULL)];
    }

    private static int interpolate(List<ShapePoint> points, int utilization) {
        ShapePoint before = points.getFirst();
        if (utilization <= before.utilization()) {
            return SCALE * before.score();
        }
        for (ShapePoint after : points) {
            if (utilization <= after.utilization()) {
                int rise = SCALE * (after.score() - before.score());
                return SCALE * before.score()
                        + rise * (utilization - before.utilization()) / (after.utilization() - before.utilization());
            }
            before = after;
        }
        return SCALE * before.score();
    }

    /** A corner of a piecewise linear function from utilization in per cent to a score between 0 and 10. */
    public record ShapePoint(int utilization, int score) {}
}
