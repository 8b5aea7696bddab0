package io.evenkeel.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.group.Seat;
import io.evenkeel.rotation.Rotation;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What the placer finds is there, and what it does not find is not: compared with going through everything. {@code
 * -Devenkeel.seeds=N} compares so many cases.
 */
class JointPlacerOracleTest {
    private static final Set<String> KINDS = Set.of("Placed", "EndStateOnly", "Cuts", "Exhausted", "FitsNowhere");

    @Test
    void agreesWithGoingThroughEverything() {
        Map<String, Integer> outcomes = new TreeMap<>();
        for (long seed : Rotation.seeds(400).toArray()) {
            outcomes.merge(compare(seed), 1, Integer::sum);
        }
        // and until each has been seen that there is
        for (long seed = 1; seed <= 400 && !outcomes.keySet().containsAll(KINDS); seed++) {
            outcomes.merge(compare(seed), 1, Integer::sum);
        }
        int compared = outcomes.values().stream().mapToInt(Integer::intValue).sum();
        assertThat(outcomes.getOrDefault("Unknown", 0)).as("%s", outcomes).isLessThanOrEqualTo((compared + 99) / 100);
        assertThat(outcomes.keySet()).containsAll(KINDS);
    }

    private static String compare(long seed) {
        SmallCase small = SmallCase.random(new Random(seed));
        BruteForce oracle = new BruteForce(small);
        boolean hasOrder = oracle.hasOrder();
        JointPlacement found = small.scene().place(small.pods());
        String about = "seed " + seed + ": " + found;
        switch (found) {
            case JointPlacement.Placed(List<Seat> order, long _) -> {
                assertThat(order).as(about).hasSize(small.group().size());
                assertThat(oracle.isOrder(pods(order), nodes(order))).as(about).isTrue();
            }
            case JointPlacement.EndStateOnly(List<Seat> seats, boolean ruledOut, String _, long _) -> {
                assertThat(hasOrder && ruledOut).as(about).isFalse();
                assertThat(oracle.isEnd(pods(seats), nodes(seats))).as(about).isTrue();
                return ruledOut ? "EndStateOnly" : "Unknown";
            }
            case JointPlacement.Infeasible(Certificate certificate, long _) -> {
                assertThat(hasOrder).as(about).isFalse();
                assertThat(oracle.hasEnd()).as(about).isFalse();
                CertificateChecker.check(about, small, certificate.proof());
                return certificate.proof().getClass().getSimpleName();
            }
            case JointPlacement.Unknown _ -> {}
        }
        return found.getClass().getSimpleName();
    }

    /** Of few pods on few nodes all is known soon, so that nothing is left open. */
    @Test
    void ofSmallGroupsAllIsFoundOut() {
        Map<String, Integer> outcomes = new TreeMap<>();
        for (long seed = 1; seed <= 250; seed++) {
            SmallCase small = SmallCase.random(new Random(seed));
            if (small.group().size() > 5 || small.nodes() > 5) {
                continue;
            }
            outcomes.merge(compare(seed), 1, Integer::sum);
            BruteForce oracle = new BruteForce(small);
            int longest = oracle.hasOrder() ? small.group().size() : oracle.longestOrder();
            JointPlacer.Found found = small.scene().placeMost(small.pods());
            assertThat(found.most()).as("seed %s: %s", seed, found).hasSize(longest);
            assertThat(oracle.isOrder(pods(found.most()), nodes(found.most())))
                    .as("seed %s: %s", seed, found)
                    .isTrue();
            for (int needed = 1; needed <= small.group().size(); needed++) {
                assertThat(found.rulesOut(needed, small.group().size()))
                        .as("seed %s: %s of %s", seed, needed, found)
                        .isEqualTo(needed > longest);
            }
        }
        assertThat(outcomes.keySet()).containsAll(KINDS).doesNotContain("Unknown");
    }

    @Test
    void whereNotAllCanBePlacedAsManyAreAsGoByAnyOrder() {
        int fewer = 0;
        int partly = 0;
        for (long seed : Rotation.seeds(80).toArray()) {
            SmallCase small = SmallCase.random(new Random(seed));
            BruteForce oracle = new BruteForce(small);
            if (!oracle.hasOrder()) {
                List<Seat> most = small.scene().placeMost(small.pods()).most();
                int longest = oracle.longestOrder();
                assertThat(oracle.isOrder(pods(most), nodes(most)))
                        .as("seed %s", seed)
                        .isTrue();
                partly++;
                fewer += most.size() < longest ? 1 : 0;
            }
        }
        assertThat(fewer).isLessThanOrEqualTo(partly / 100);
    }

    static List<Integer> pods(List<Seat> seats) {
        return seats.stream()
                .map(seat -> Integer.valueOf(seat.pod().name().substring(1)))
                .toList();
    }

    static List<Integer> nodes(List<Seat> seats) {
        return seats.stream()
                .map(seat -> Integer.valueOf(seat.node().substring(1)))
                .toList();
    }
}
