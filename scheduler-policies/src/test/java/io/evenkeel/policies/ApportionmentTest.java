package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApportionmentTest {

    @Test
    void sevenToThreeIsExactAtTenAndInBetween() {
        Apportionment apportionment = new Apportionment(new int[] {7, 3});
        int[] seats = new int[2];
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            give(apportionment, seats, 0);
            steps.add(seats[0] + ":" + seats[1]);
        }

        assertThat(steps).containsExactly("1:0", "2:0", "2:1", "3:1", "4:1", "4:2", "5:2", "6:2", "7:2", "7:3");
    }

    /** Whoever of several has its turn takes it: the share rounded down is had in any case, and never more than rounded up. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void nobodyIsEverASeatFromItsShare(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++) {
            int[] weights = random.ints(1 + random.nextInt(7), 0, 1 + random.nextInt(20))
                    .toArray();
            long sum = IntStream.of(weights).sum();
            if (sum == 0) {
                continue;
            }
            Apportionment apportionment = new Apportionment(weights);
            int[] seats = new int[weights.length];
            for (long all = 1; all <= 60; all++) {
                give(apportionment, seats, random.nextInt());
                for (int i = 0; i < weights.length; i++) {
                    assertThat(seats[i])
                            .as("%d seats, weights %s, seats %s", all, List.of(weights), List.of(seats))
                            .isBetween((int) (all * weights[i] / sum), (int) Math.ceilDiv(all * weights[i], sum));
                }
            }
        }
    }

    @Test
    void whoLacksSeatsCatchesUpFirst() {
        Apportionment apportionment = new Apportionment(new int[] {1, 1, 2, 0});
        apportionment.measure(new int[] {5, 0, 1, 0});

        assertThat(IntStream.range(0, 4).filter(apportionment::isTurnOf).toArray())
                .as("a fourth of 7 for the second, half of them for the third")
                .containsExactly(1, 2);
    }

    /** One of those whose turn it is, whichever is chosen. */
    private static void give(Apportionment apportionment, int[] seats, int choice) {
        apportionment.measure(seats);
        int[] turns =
                IntStream.range(0, seats.length).filter(apportionment::isTurnOf).toArray();
        assertThat(turns).isNotEmpty();
        seats[turns[Math.floorMod(choice, turns.length)]]++;
    }
}
