package io.evenkeel.lab.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpreadingTest {
    @Test
    void whatHasRoomStaysWhereItWouldLikeToBe() {
        assertThat(Spreading.apart(List.of(50.0, 10.0, 30.0), 20, 0, 100)).containsExactly(50.0, 10.0, 30.0);
    }

    @Test
    void whatWouldTouchMovesApartByEqualParts() {
        assertThat(Spreading.apart(List.of(50.0, 50.0, 90.0), 10, 0, 100)).containsExactly(45.0, 55.0, 90.0);
    }

    @Test
    void nothingMovesOverTheEnds() {
        assertThat(Spreading.apart(List.of(0.0, 0.0, 100.0, 100.0), 10, 0, 100))
                .containsExactly(0.0, 10.0, 90.0, 100.0);
        assertThat(Spreading.apart(List.of(0.0, 0.0, 0.0), 50, 0, 100)).containsExactly(0.0, 50.0, 100.0);
    }

    @Test
    void whereThereIsNoRoomNothingIsPlaced() {
        assertThatThrownBy(() -> Spreading.apart(List.of(0.0, 0.0), 101, 0, 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 labels need 101.0 each");
    }

    @Test
    void allAreApartInTheOrderOfTheirWishes() {
        for (long seed = 0; seed < 1_000; seed++) {
            Random random = new Random(seed);
            List<Double> wishes =
                    random.doubles(random.nextInt(1, 12), -20, 120).boxed().toList();
            double gap = 100.0 / 11;

            List<Double> places = Spreading.apart(wishes, gap, 0, 100);

            for (int i = 0; i < wishes.size(); i++) {
                assertThat(places.get(i)).as("seed %d", seed).isBetween(-1e-6, 100 + 1e-6);
                for (int j = 0; j < wishes.size(); j++) {
                    if (wishes.get(i) < wishes.get(j)) {
                        assertThat(places.get(j) - places.get(i))
                                .as("seed %d", seed)
                                .isGreaterThan(gap - 1e-6);
                    }
                }
            }
        }
    }
}
