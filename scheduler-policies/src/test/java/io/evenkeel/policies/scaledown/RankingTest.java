package io.evenkeel.policies.scaledown;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.policies.scaledown.Mark.Writer;
import io.evenkeel.policies.scaledown.Ranking.Candidate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods of a ReplicaSet in some domains, that come and go, and are deleted by their cost. */
class RankingTest {
    private static final Shares EVEN = Shares.of(PolicyRule.over("zone").withMaxSkew(1));
    private static final int STEPS = 200;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void howeverManyAreLeftTheyAreAsEvenAsTheyCanBe(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Candidate> pods = new ArrayList<>();
        for (int i = 0; i < random.nextInt(1, 40); i++) {
            pods.add(pod(random, i));
        }
        Map<String, Integer> costs = Ranking.costs(pods, EVEN);
        List<Candidate> cheapestFirst = pods.stream()
                .sorted(Comparator.comparingInt(pod -> costs.getOrDefault(pod.name(), 0)))
                .toList();
        Map<String, Long> all = byDomain(pods);
        for (int gone = 0; gone < pods.size(); gone++) {
            Map<String, Long> left = byDomain(cheapestFirst.subList(gone, pods.size()));
            all.forEach((domain, before) -> left.forEach((_, most) -> assertThat(left.getOrDefault(domain, 0L))
                    .as("%s of %s is left", left, all)
                    .isGreaterThanOrEqualTo(Math.min(before, most - 1))));
        }
    }

    /** Whoever takes the place of another is one write; whoever keeps his is none. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aPodThatComesOrGoesIsOneWriteAtMost(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Candidate> pods = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            if (pods.size() > 20 || (!pods.isEmpty() && random.nextInt(3) == 0)) {
                pods.remove(random.nextInt(pods.size()));
            } else {
                pods.add(pod(random, step));
            }
            Map<String, Integer> costs = Ranking.costs(pods, EVEN);
            long writes = pods.stream()
                    .filter(pod -> !pod.mark().equals(Mark.ours(costs.getOrDefault(pod.name(), 0))))
                    .count();
            assertThat(writes).as("step %d", step).isLessThanOrEqualTo(1);
            pods.replaceAll(pod -> marked(pod, Mark.ours(costs.getOrDefault(pod.name(), 0))));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 17, 50})
    void byWeightEachKeepsItsShare(int count) {
        Shares weighted = Shares.of(
                PolicyRule.over("zone").weighing(List.of(new DomainWeight("a", 7), new DomainWeight("b", 3))));
        List<Candidate> pods = IntStream.range(0, 2 * count)
                .mapToObj(i -> new Candidate("p" + i, i % 2 == 0 ? "a" : "b", true, "", Mark.NONE))
                .toList();
        Map<String, Integer> costs = Ranking.costs(pods, weighted);
        List<Candidate> left = pods.stream()
                .sorted(Comparator.comparingInt((Candidate pod) -> -costs.getOrDefault(pod.name(), 0)))
                .limit(count)
                .toList();

        assertThat((double) byDomain(left).getOrDefault("a", 0L)).isBetween(count * 0.7 - 1, count * 0.7 + 1);
    }

    /** The oldest is the last to go, and each of another writer's takes the number nearest to its cost. */
    @Test
    void readyPodsComeBeforeOthersAndOldBeforeYoung() {
        List<Candidate> pods = new ArrayList<>(List.of(
                new Candidate("late", "a", true, "", Mark.NONE),
                new Candidate("young", "a", true, "2026", Mark.NONE),
                new Candidate("old", "a", true, "2025", Mark.NONE),
                new Candidate("twin", "a", true, "2025", Mark.NONE),
                new Candidate("was-ready", "a", false, "2020", Mark.ours(-1)),
                new Candidate("never-ready", "a", false, "2020", Mark.NONE),
                new Candidate("others", "a", true, "2020", new Mark(Writer.ANOTHER, -2)),
                new Candidate("not-ready-others", "a", false, "2020", new Mark(Writer.ANOTHER, -100)),
                new Candidate("nowhere", "", true, "2020", Mark.NONE)));
        Map<String, Integer> costs =
                Map.of("old", -1, "twin", -3, "young", -4, "late", -5, "was-ready", -6, "nowhere", Integer.MIN_VALUE);
        assertThat(Ranking.costs(pods, EVEN)).isEqualTo(costs);
        Collections.reverse(pods);
        assertThat(Ranking.costs(pods, EVEN)).isEqualTo(costs);
    }

    @Test
    void sharesAreByNumberAndByTurn() {
        assertThat(costs(EVEN, "a", 3)).containsExactly(-1, -2, -3);
        Shares mustUse = Shares.of(PolicyRule.over("zone").using(List.of("a")));
        assertThat(costs(mustUse, "a", 3)).containsExactly(-1, -3, -5);
        assertThat(costs(mustUse, "b", 3)).containsExactly(-2, -4, -6);

        List<DomainWeight> weights =
                List.of(new DomainWeight("a", 7), new DomainWeight("b", 3), new DomainWeight("none", 0));
        Shares weighted = Shares.of(PolicyRule.over("zone").weighing(weights));
        assertThat(costs(weighted, "a", 4)).containsExactly(-1, -2, -4, -5);
        assertThat(costs(weighted, "b", 4)).containsExactly(-3, -6, -10, -13);
        assertThat(costs(weighted, "none", 1)).containsExactly(Shares.FIRST_TO_GO);
        assertThat(costs(weighted, "elsewhere", 1)).containsExactly(Shares.FIRST_TO_GO);

        Shares tiny = Shares.of(PolicyRule.over("zone")
                .weighing(List.of(new DomainWeight("a", 1_000_000), new DomainWeight("tiny", 1))));
        assertThat(costs(tiny, "tiny", 1)).as("after too many turns").containsExactly(Shares.FIRST_TO_GO);
        assertThat(costs(tiny, "a", 2)).containsExactly(-1, -2);
        assertThat(tiny.cost("a", 100_000)).isEqualTo(-100_000);
        assertThat(tiny.cost("a", 100_001)).isEqualTo(Shares.FIRST_TO_GO);
    }

    private static List<Integer> costs(Shares shares, String domain, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> shares.cost(domain, number))
                .toList();
    }

    private static Candidate pod(SplittableRandom random, int number) {
        return new Candidate("p" + number, "z" + random.nextInt(3), true, "t" + random.nextInt(100, 1000), Mark.NONE);
    }

    private static Candidate marked(Candidate pod, Mark mark) {
        return new Candidate(pod.name(), pod.domain(), pod.isReady(), pod.since(), mark);
    }

    private static Map<String, Long> byDomain(List<Candidate> pods) {
        return pods.stream().collect(Collectors.groupingBy(Candidate::domain, TreeMap::new, Collectors.counting()));
    }
}
