package io.evenkeel.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.Certificate.Proof;
import io.evenkeel.groups.JointPlacer.JointTerms;
import io.evenkeel.groups.SmallCase.Member;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One domain for a whole group: compared with going through every domain, and through everything in it. */
class OneDomainOracleTest {

    @Test
    void theBestDomainOfThoseThatTakeAllIsFound() {
        Map<String, Integer> outcomes = new TreeMap<>();
        long[] seeds = Rotation.seeds(400).toArray();
        for (long seed : seeds) {
            SmallCase small = SmallCase.random(new Random(seed));
            String key = SmallCase.KEYS[(int) (seed % 3)];
            outcomes.merge(compare("seed " + seed, small, key), 1, Integer::sum);
        }
        assertThat(outcomes.getOrDefault("Unknown", 0))
                .as("%s", outcomes)
                .isLessThanOrEqualTo((seeds.length + 99) / 100);
        assertThat(outcomes.keySet()).contains("Placed", "Infeasible");
    }

    private static String compare(String about, SmallCase small, String key) {
        JointTerms terms = JointTerms.ALL.inOneDomainOf(key);
        JointPlacer.Found found = small.scene().find(small.pods(), terms);
        int cpu = small.group().stream().mapToInt(Member::cpu).sum();
        Optional<String> best = small.domainsOf(key).stream()
                .filter(domain -> new BruteForce(small.within(key, domain)).hasOrder())
                .min(Comparator.comparingInt((String domain) -> small.fullness(key, domain, cpu))
                        .reversed()
                        .thenComparing(Comparator.naturalOrder()));
        switch (found.placement()) {
            case JointPlacement.Placed(List<Seat> order, long _) -> {
                assertThat(found.domain()).as(about).isEqualTo(best);
                assertThat(order).as(about).hasSize(small.group().size());
                assertThat(isOrder(small.within(key, best.orElseThrow()), order))
                        .as(about)
                        .isTrue();
            }
            case JointPlacement.EndStateOnly(List<Seat> seats, boolean ruledOut, String _, long _) -> {
                assertThat(best.isPresent() && ruledOut).as(about).isFalse();
                SmallCase within = small.within(key, found.domain().orElseThrow());
                assertThat(new BruteForce(within)
                                .isEnd(JointPlacerOracleTest.pods(seats), JointPlacerOracleTest.nodes(seats)))
                        .as(about)
                        .isTrue();
            }
            case JointPlacement.Infeasible(Certificate certificate, long _) -> {
                assertThat(best).as(about).isEmpty();
                small.domainsOf(key)
                        .forEach(domain -> assertThat(new BruteForce(small.within(key, domain)).hasEnd())
                                .as(about)
                                .isFalse());
                assertThat(certificate.proof()).isInstanceOf(Proof.NoDomain.class);
                CertificateChecker.check(about, small, certificate.proof());
            }
            case JointPlacement.Unknown _ -> {}
        }
        return found.placement().getClass().getSimpleName();
    }

    @Rotated(3)
    @Test
    void asManyAsAnyDomainTakesWhereNoneTakesAll() {
        int fewer = 0;
        int partly = 0;
        for (long seed : Rotation.seeds(200).toArray()) {
            SmallCase small = SmallCase.random(new Random(seed));
            String key = SmallCase.KEYS[(int) (seed % 3)];
            int longest = small.domainsOf(key).stream()
                    .mapToInt(domain -> longest(small.within(key, domain)))
                    .max()
                    .orElseThrow();
            if (longest < small.group().size()) {
                JointPlacer.Found found = small.scene()
                        .find(small.pods(), JointTerms.atLeast(longest).inOneDomainOf(key));
                assertThat(found.most().isEmpty()
                                || isOrder(small.within(key, found.domain().orElseThrow()), found.most()))
                        .as("seed %s", seed)
                        .isTrue();
                partly++;
                fewer += found.most().size() < longest ? 1 : 0;
            }
        }
        assertThat(partly).isPositive();
        assertThat(fewer).isLessThanOrEqualTo(partly / 100);
    }

    @Test
    void aDomainThatIsFixedIsTheOnlyOne() {
        for (long seed : Rotation.seeds(100).toArray()) {
            SmallCase small = SmallCase.random(new Random(seed));
            String domain = small.domainsOf("rack").iterator().next();
            JointPlacer.Found found = small.scene().find(small.pods(), JointTerms.ALL.inDomain("rack", domain));
            boolean hasOrder = new BruteForce(small.within("rack", domain)).hasOrder();
            assertThat(found.placement() instanceof JointPlacement.Placed
                            || found.placement() instanceof JointPlacement.Unknown)
                    .as("seed %s: %s", seed, found)
                    .isEqualTo(hasOrder || found.placement() instanceof JointPlacement.Unknown);
        }
    }

    private static int longest(SmallCase small) {
        BruteForce oracle = new BruteForce(small);
        return oracle.hasOrder() ? small.group().size() : oracle.longestOrder();
    }

    private static boolean isOrder(SmallCase small, List<Seat> order) {
        return new BruteForce(small).isOrder(JointPlacerOracleTest.pods(order), JointPlacerOracleTest.nodes(order));
    }
}
