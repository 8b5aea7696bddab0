package io.evenkeel.kube.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.election.Shares.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharesTest {
    private static final int MOST_MOVES = 1_000;

    private int moves;

    /** Each replica in turn asks for what it wants until nobody wants anything. */
    private List<Share> settled(List<Share> begin, List<String> replicas, Random random) {
        List<Share> seats = new ArrayList<>(begin);
        List<String> turn = new ArrayList<>(replicas);
        boolean isOver = false;
        while (!isOver) {
            Collections.shuffle(turn, random);
            isOver = true;
            for (String who : turn) {
                OptionalInt wanted = new Shares(seats).wantedBy(who);
                if (wanted.isPresent()) {
                    Share seat = seats.get(wanted.getAsInt());
                    assertThat(seat.holder()).isNotEqualTo(who);
                    seats.set(wanted.getAsInt(), new Share(who, seat.weight()));
                    assertThat(++moves).as("moves").isLessThan(MOST_MOVES);
                    isOver = false;
                }
            }
        }
        return seats;
    }

    private static List<Share> of(String holder, long... weights) {
        return LongStream.of(weights)
                .mapToObj(weight -> new Share(holder, weight))
                .toList();
    }

    private static List<Long> loads(List<Share> seats, List<String> replicas) {
        return replicas.stream().map(new Shares(seats)::load).sorted().toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @CsvSource({"1", "2", "3", "4", "5"})
    void whoKnowsAllNodesEndsAloneBesideTwoWhoShareTheRest(long seed) {
        List<String> replicas = List.of("a", "b", "c");
        List<Share> seats = settled(of("a", 100, 25, 25, 25, 25), replicas, new Random(seed));
        assertThat(loads(seats, replicas)).containsExactly(50L, 50L, 100L);
    }

    @Test
    void equalSeatsAreSharedByTheirNumber() {
        List<String> replicas = List.of("a", "b", "c");
        assertThat(loads(settled(of("a", 1, 1, 1, 1, 1), replicas, new Random(1)), replicas))
                .containsExactly(1L, 2L, 2L);
        assertThat(moves).isEqualTo(3);
    }

    @Test
    void ofEqualsTheLightestGoes() {
        assertThat(new Shares(of("a", 100, 20)).wantedBy("b")).hasValue(1);
        assertThat(new Shares(of("a", 20, 100)).wantedBy("b")).hasValue(0);
    }

    @Test
    void whatHelpsLittleStays() {
        List<Share> seats = new ArrayList<>(of("a", 10, 10));
        seats.addAll(of("b", 10));
        assertThat(new Shares(seats).wantedBy("b")).isEmpty();
        assertThat(new Shares(of("a", 100)).wantedBy("b")).isEmpty();
        assertThat(new Shares(of("a", 0, 0)).wantedBy("b")).isEmpty();
        assertThat(new Shares(of("", 10, 10)).wantedBy("b")).as("of nobody").isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @CsvSource({"1", "2", "3", "4", "5", "6", "7", "8"})
    void theLargestIsWithinABoundOfTheBest(long seed) {
        Random random = new Random(seed);
        double sum = 0;
        int rounds = 100;
        for (int round = 0; round < rounds; round++) {
            int replicas = 2 + random.nextInt(3);
            List<String> names = List.of("a", "b", "c", "d").subList(0, replicas);
            List<Share> seats = new ArrayList<>();
            int count = 1 + random.nextInt(8);
            for (int i = 0; i < count; i++) {
                seats.add(new Share(
                        names.get(random.nextInt(replicas)),
                        random.nextBoolean() ? random.nextInt(1_000) : random.nextInt(10)));
            }
            moves = 0;
            long largest = loads(settled(seats, names, random), names).getLast();
            long best = best(seats.stream().mapToLong(Share::weight).toArray(), 0, new long[replicas]);
            assertThat((double) largest)
                    .as("seed %d, round %d: %s over %d", seed, round, seats, replicas)
                    .isLessThanOrEqualTo(best / (0.4 + 0.6 / replicas) + 1e-9);
            sum += best == 0 ? 1 : (double) largest / best;
        }
        assertThat(sum / rounds).as("on average").isLessThan(1.1);
    }

    /** Of all ways to part them. */
    private static long best(long[] weights, int from, long[] loads) {
        if (from == weights.length) {
            return Arrays.stream(loads).max().orElseThrow();
        }
        long best = Long.MAX_VALUE;
        for (int replica = 0; replica < loads.length; replica++) {
            loads[replica] += weights[from];
            best = Math.min(best, best(weights, from + 1, loads));
            loads[replica] -= weights[from];
        }
        return best;
    }

    /** What stands on the Leases changes only by a tenth, and no seat moves for less. */
    @ParameterizedTest(name = "seed {0}")
    @CsvSource({"1", "2", "3", "4"})
    void noiseMovesNothingInAThousandRounds(long seed) {
        Random random = new Random(seed);
        List<String> replicas = List.of("a", "b", "c");
        long[] truth = {40_000, 11_000, 9_000, 10_500, 9_500, 30, 700};
        List<Share> seats = settled(of("a", truth), replicas, random);
        moves = 0;
        for (int round = 0; round < 1_000; round++) {
            for (int i = 0; i < truth.length; i++) {
                long now = (long) (truth[i] * (0.97 + 0.06 * random.nextDouble()));
                Share before = seats.get(i);
                long written = Long.parseLong(Seats.written(now, OptionalLong.of(before.weight())));
                seats.set(i, new Share(before.holder(), written));
            }
            seats = settled(seats, replicas, random);
        }
        assertThat(moves).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "0,      -1,    0",
        "7,      -1,    7",
        "99,     -1,    99",
        "104,    -1,    100",
        "105,    -1,    110",
        "12345,  -1,    12000",
        "999999, -1,    1000000",
        "109,    100,   100",
        "110,    100,   100",
        "111,    100,   110",
        "89,     100,   89",
        "1,      0,     1",
        "0,      5,     0"
    })
    void weightsAreWrittenInTwoDigitsAndKeptWithinATenth(long weight, long before, String written) {
        assertThat(Seats.written(weight, before < 0 ? OptionalLong.empty() : OptionalLong.of(before)))
                .isEqualTo(written);
    }
}
