package io.evenkeel.config.file;

import io.evenkeel.config.UtilizationShape.ShapePoint;
import java.util.ArrayList;
import java.util.List;

/** The corners of a scoring function; utilization must rise from one to the next. */
final class ShapeBinder {
    private static final Range SCORES = new Range(0, 10);

    private final List<ShapePoint> before = new ArrayList<>();

    private ShapeBinder() {}

    static List<ShapePoint> bind(MappingFields fields) {
        List<ShapePoint> shape = points(fields);
        if (shape.isEmpty()) {
            fields.error("shape", "must have at least one point");
        }
        return shape;
    }

    /** The same, or none. */
    static List<ShapePoint> points(MappingFields fields) {
        return fields.mappings("shape", new ShapeBinder()::point);
    }

    private ShapePoint point(MappingFields fields) {
        ShapePoint point =
                new ShapePoint(fields.int32("utilization", 0, Range.PERCENT), fields.int32("score", 0, SCORES));
        if (!before.isEmpty() && before.getLast().utilization() >= point.utilization()) {
            fields.error(
                    "utilization",
                    "must be greater than that of the point before, which is "
                            + before.getLast().utilization() + ", got " + point.utilization());
        }
        before.add(point);
        return point;
    }
}
