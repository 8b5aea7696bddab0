package io.evenkeel.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.PluginArgs.UtilizationShape;
import io.evenkeel.config.PluginArgs.UtilizationShape.ShapePoint;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class UtilizationShapeTest {

    @Test
    void aPointIsLevelEverywhere() {
        UtilizationShape shape = shape(new ShapePoint(40, 7));

        assertThat(shape.scoreAt(0)).isEqualTo(70);
        assertThat(shape.scoreAt(40)).isEqualTo(70);
        assertThat(shape.scoreAt(100)).isEqualTo(70);
    }

    @Test
    void linesRunFromPointToPoint() {
        UtilizationShape shape = shape(new ShapePoint(20, 2), new ShapePoint(40, 8), new ShapePoint(90, 3));

        assertThat(shape.scoreAt(10)).isEqualTo(20);
        assertThat(shape.scoreAt(20)).isEqualTo(20);
        assertThat(shape.scoreAt(30)).isEqualTo(50);
        assertThat(shape.scoreAt(40)).isEqualTo(80);
        assertThat(shape.scoreAt(65)).isEqualTo(55);
        assertThat(shape.scoreAt(90)).isEqualTo(30);
        assertThat(shape.scoreAt(100)).isEqualTo(30);
    }

    @Test
    void quotientsAreTruncatedTowardsZeroUphillAsDownhill() {
        assertThat(shape(new ShapePoint(0, 0), new ShapePoint(30, 1)).scoreAt(10))
                .isEqualTo(3);
        assertThat(shape(new ShapePoint(0, 1), new ShapePoint(30, 0)).scoreAt(10))
                .isEqualTo(10 - 3);
    }

    @Test
    void utilizationBeyondBothEndsIsThatOfTheEnd() {
        UtilizationShape shape = shape(new ShapePoint(0, 0), new ShapePoint(100, 10));

        assertThat(shape.scoreAt(-5)).isZero();
        assertThat(shape.scoreAt(Long.MAX_VALUE)).isEqualTo(100);
    }

    private static UtilizationShape shape(ShapePoint... points) {
        return UtilizationShape.of(Arrays.asList(points));
    }
}
