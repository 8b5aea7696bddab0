package io.evenkeel.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RotationTest {
    @Test
    void ofAsManyHashesInARowAsThereArePartsOnePlaysEach() {
        for (int parts = 1; parts <= 12; parts++) {
            int count = parts;
            for (int first : new int[] {Integer.MIN_VALUE, -7, 0, 5, Integer.MAX_VALUE - 12}) {
                for (long part = 0; part < 2L * parts; part++) {
                    long one = part;
                    assertThat(IntStream.range(first, first + parts)
                                    .filter(commit -> Rotation.plays(one, count, commit)))
                            .hasSize(1);
                }
            }
        }
    }

    @Test
    void someSeedsAreAlwaysPlayed() {
        for (int count = 1; count <= 20; count++) {
            assertThat(Rotation.seeds(count).count()).isBetween(1L, (long) count);
        }
    }
}
