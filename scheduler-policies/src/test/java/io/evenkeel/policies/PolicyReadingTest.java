package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.model.policy.PolicyRule.RuleTerms;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicySpec.NamespaceCounting;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.DomainPods;
import io.evenkeel.model.policy.PolicyStatus.PolicyCondition;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.PluginHarness;
import io.evenkeel.policies.PolicyReading.Breach;
import io.evenkeel.policies.PolicyReading.Contradiction;
import io.evenkeel.policies.ReadablePolicy.PolicyReadings;
import io.evenkeel.queue.ClusterChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of policies is what a recount gives; and what is called a contradiction is one, as no distribution keeps the rules. */
class PolicyReadingTest {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final LabelSelector WEB = LabelSelector.matchingLabels(Labels.of("app", "web"));
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 150);

    private final PluginHarness harness = PluginHarness.cluster();
    private final ClusterState cluster = harness.state();
    private final PolicyReadings readings = new PolicyReadings(cluster.view());
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void agreesWithARecount(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Set<String> seen = new TreeSet<>();
        for (int step = 0; step < STEPS; step++) {
            change(random);
            PolicyRule rule = rule(random);
            put("one", rule);
            int waiting = random.nextInt(4);
            PolicyReading reading = read("one", waiting);
            Map<String, Integer> counts = recount();
            String place = "seed " + seed + " step " + step + ": " + rule + " of " + counts + " and " + waiting;

            assertThat(reading.pods()).as(place).isEqualTo(pods.size());
            assertThat(reading.rules().getFirst().domains().stream()
                            .collect(Collectors.toMap(DomainPods::domain, DomainPods::pods)))
                    .as(place)
                    .isEqualTo(counts);
            assertThat(reading.breaches().stream().map(Breach::limit).map(Enum::name))
                    .as(place)
                    .containsExactlyElementsOf(broken(rule, counts));
            assertThat(List.of(
                            reading.rules().getFirst().fewest(),
                            reading.rules().getFirst().most()))
                    .as(place)
                    .isEqualTo(span(rule, counts));
            reading.breaches().forEach(one -> seen.add(one.limit().name()));
            reading.contradictions().forEach(one -> seen.add(one.reason()));
            boolean isCertain = reading.contradictions().stream()
                    .anyMatch(one ->
                            one.reason().endsWith("TooSmall") || one.reason().equals("RulesConflict"));
            if (isCertain) {
                assertThat(distributions(counts.keySet().stream().toList(), placed(counts) + waiting))
                        .as("%s: %s", place, reading.contradictions())
                        .noneMatch(some -> broken(rule, some).isEmpty());
            }
        }
        assertThat(seen)
                .contains("MAX_PODS", "MAX_PERCENT", "MAX_DOMAINS", "MUST_USE", "WEIGHTS", "MAX_SKEW", "CapTooSmall");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void aConflictOfTwoIsOne(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int conflicts = 0;
        for (int step = 0; step < STEPS; step++) {
            change(random);
            PolicyRule one = rule(random);
            PolicyRule other = rule(random);
            put("one", one);
            put("other", other);
            int waiting = random.nextInt(4);
            List<Contradiction> found = read("one", waiting).contradictions().stream()
                    .filter(each -> each.reason().equals("PoliciesConflict"))
                    .toList();
            Map<String, Integer> counts = recount();
            int all = placed(counts) + waiting;
            if (!found.isEmpty() && !found.getFirst().message().contains("weights of ")) {
                conflicts++;
                assertThat(distributions(counts.keySet().stream().toList(), all))
                        .as("seed %d step %d: %s and %s of %d: %s", seed, step, one, other, all, found)
                        .noneMatch(some -> broken(one, some).isEmpty()
                                && broken(other, some).isEmpty());
            }
        }
        assertThat(conflicts).isPositive();
    }

    @Test
    void skewIsOfTheDomainsThatAreOpenToAPod() {
        node("a", "a");
        node("b", "b");
        nodes.put(
                "c",
                NodeBuilder.node("c")
                        .zone("c")
                        .taint("k", "v", TaintEffect.NO_SCHEDULE)
                        .build());
        cluster.put(nodes.get("c"));
        place("p1", "a");
        place("p2", "b");
        place("p3", "a");
        put("one", PolicyRule.over(ZONE).withMaxSkew(1));

        assertThat(read("one", 0).breaches()).isEmpty();
        assertThat(read("one", 0).rules().getFirst().skew()).isEqualTo(1);
        place("p4", "a");
        assertThat(read("one", 0).breaches())
                .extracting(Breach::message)
                .containsExactly("maxSkew 1 over topology.kubernetes.io/zone: is 2: from 1 to 3 of a domain");
    }

    /** Of pods that were there before, no one was asked about. */
    @Test
    void namespacesAreReadOneByOneWhereEachCountsForItself() {
        node("n0", "a");
        node("n1", "b");
        for (int i = 0; i < 3; i++) {
            cluster.put(PodBuilder.pod("blue", "p" + i)
                    .label("app", "web")
                    .nodeName("n0")
                    .build());
            cluster.put(PodBuilder.pod("green", "p" + i)
                    .label("app", "web")
                    .nodeName("n1")
                    .build());
        }
        Stream.of("blue", "green")
                .forEach(name ->
                        cluster.put(new Namespace(ObjectMeta.named("", name).withLabels(Labels.of("team", "cache")))));
        PolicySpec spec = PolicySpec.of(
                        LabelSelector.matchingLabels(Labels.of("app", "web")),
                        List.of(PolicyRule.over(ZONE).withMaxSkew(1)))
                .over(LabelSelector.matchingLabels(Labels.of("team", "cache")));

        cluster.put(new ClusterPlacementPolicy(ObjectMeta.named("", "one"), spec));
        assertThat(read("one", 0).breaches()).isEmpty();

        cluster.put(new ClusterPlacementPolicy(ObjectMeta.named("", "one"), spec.with(NamespaceCounting.SEPARATELY)));
        assertThat(read("one", 0).breaches().stream().map(Breach::message))
                .containsExactlyInAnyOrder(
                        "maxSkew 1 over " + ZONE + " for pods of namespace blue: is 3: from 0 to 3 of a domain",
                        "maxSkew 1 over " + ZONE + " for pods of namespace green: is 3: from 0 to 3 of a domain");
        assertThat(read("one", 0).rules().getFirst().most()).isEqualTo(3);

        cluster.put(new Namespace(ObjectMeta.named("", "green")));
        assertThat(read("one", 0).breaches().stream().map(Breach::message))
                .singleElement()
                .asString()
                .contains("namespace blue");
    }

    /** Those without the label count all of them, and are looked for among pods that nothing else tells apart. */
    @Test
    void kindsAreFoundAndForgottenAsTheirPodsComeAndGo() {
        node("n0", "a");
        Stream.of("x", "y")
                .forEach(revision -> cluster.put(new PlacementPolicy(
                        ObjectMeta.named("shop", revision),
                        PolicySpec.of(
                                LabelSelector.matchingLabels(Labels.of("app", "web")),
                                List.of(PolicyRule.over(ZONE)
                                        .withMaxPods(2)
                                        .on(RuleTerms.STRICT.matching(List.of("revision"))))))));
        for (int i = 0; i < 3; i++) {
            cluster.put(revised("p" + i, "7f"));
        }
        String over = "maxPods 2 over " + ZONE;
        assertThat(messages("x")).containsExactly(over + " for pods with revision=7f: a has 3");

        cluster.put(PodBuilder.pod("shop", "plain")
                .label("app", "web")
                .nodeName("n0")
                .build());
        assertThat(messages("x"))
                .containsExactlyInAnyOrder(over + " for pods with revision=7f: a has 3", over + ": a has 4");
        cluster.removePod("shop/plain");
        cluster.removePod("shop/p0");
        assertThat(messages("x")).isEmpty();
        assertThat(messages("y")).isEmpty();
    }

    private static Pod revised(String name, String revision) {
        return PodBuilder.pod("shop", name)
                .label("app", "web")
                .label("revision", revision)
                .nodeName("n0")
                .build();
    }

    private List<String> messages(String policy) {
        return read(policy, 0).breaches().stream().map(Breach::message).toList();
    }

    @Test
    void theFullestDomainsAreNamed() {
        for (int i = 0; i < 9; i++) {
            node("n" + i, "z" + i);
            place("p" + i, "n" + i);
        }
        place("more", "n7");
        put("one", PolicyRule.over(ZONE).withMaxPods(1));

        var rule = readings.all().getFirst().read(0, 3).rules().getFirst();
        assertThat(rule.domains())
                .containsExactly(new DomainPods("z7", 2), new DomainPods("z0", 1), new DomainPods("z1", 1));
        assertThat(rule.moreDomains()).isEqualTo(6);
        assertThat(rule.breaches())
                .extracting(Breach::message)
                .containsExactly("maxPods 1 over topology.kubernetes.io/zone: z7 has 2");
    }

    @Test
    void whoOnlyHasAnotherStatusIsTheSamePolicy() {
        node("a", "a");
        PlacementPolicy policy = put("one", PolicyRule.over(ZONE).withMaxPods(1));
        ReadablePolicy before = readings.all().getFirst();
        long changes = before.changes();
        PolicyStatus said = new PolicyStatus(
                1,
                0,
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of(new PolicyCondition("Satisfied", "True", 1, "", "Kept", "")));
        PlacementPolicy same = new PlacementPolicy(policy.meta(), policy.spec(), said);
        cluster.put(same);
        PlacementPolicy other = new PlacementPolicy(policy.meta(), PolicySpec.NONE, said);

        assertThat(ClusterChanges.between(Optional.of(policy), Optional.of(same)))
                .as("wakes nobody")
                .isEmpty();
        assertThat(ClusterChanges.between(Optional.of(same), Optional.of(other)))
                .isPresent();
        assertThat(readings.all().getFirst()).isSameAs(before);
        assertThat(before.changes()).isEqualTo(changes);
        assertThat(before.policy()).isEqualTo(same);
        place("p", "a");
        assertThat(before.changes()).isGreaterThan(changes);
    }

    @Test
    void whatCannotBe() {
        node("a", "a");
        put("one", PolicyRule.over(ZONE).using(List.of("a", "gone")));
        assertThat(read("one", 0).contradictions())
                .containsExactly(new Contradiction(
                        "DomainWithoutNodes", "mustUse over topology.kubernetes.io/zone: no node is in gone"));
        node("b", "b");
        put("one", PolicyRule.over(ZONE).using(List.of("b")).weighing(List.of(new DomainWeight("a", 1))));
        assertThat(read("one", 0).contradictions())
                .containsExactly(new Contradiction(
                        "DomainWithoutWeight",
                        "mustUse over topology.kubernetes.io/zone: weights give b none of the pods"));
        put("one", PolicyRule.over(ZONE).weighing(List.of(new DomainWeight("a", 7), new DomainWeight("gone", 3))));
        assertThat(read("one", 3).contradictions()).isEmpty();
        assertThat(read("one", 4).contradictions())
                .containsExactly(new Contradiction(
                        "DomainWithoutNodes",
                        "weights over topology.kubernetes.io/zone: no node is in gone, whose share of 4 pods is 1"));
        List<DomainWeight> shares = List.of(new DomainWeight("a", 7), new DomainWeight("b", 3));
        put("one", PolicyRule.over(ZONE).weighing(shares).withMaxSkew(1));
        assertThat(read("one", 3).contradictions()).isEmpty();
        assertThat(read("one", 10).contradictions())
                .containsExactly(new Contradiction(
                        "RulesConflict",
                        "over topology.kubernetes.io/zone: by weights a has 7 of 10 pods and b 3, maxSkew is 1"));
        put("one", PolicyRule.over(ZONE).weighing(shares).withMaxDomains(1));
        assertThat(read("one", 10).contradictions())
                .containsExactly(new Contradiction(
                        "RulesConflict",
                        "over topology.kubernetes.io/zone: by weights 2 domains have some of 10 pods,"
                                + " maxDomains is 1"));
        put("one", PolicyRule.over(ZONE).withMaxPods(2));
        assertThat(read("one", 4).contradictions()).isEmpty();
        assertThat(read("one", 5).contradictions())
                .containsExactly(new Contradiction(
                        "CapTooSmall",
                        "maxPods 2 over topology.kubernetes.io/zone: room for 4 of 5 pods in 2 domains"));
        put("other", PolicyRule.over(ZONE).withMaxDomains(1));
        assertThat(read("one", 3).contradictions())
                .containsExactly(new Contradiction(
                        "PoliciesConflict",
                        "over topology.kubernetes.io/zone: with PlacementPolicy other there is room for 2 of 3 pods"));
    }

    @Test
    void breachesAreToldWithTheFullestDomains() {
        for (int zone = 0; zone < 7; zone++) {
            node("n" + zone, "z" + zone);
            for (int pod = 0; pod <= zone; pod++) {
                place("p" + zone + pod, "n" + zone);
            }
        }
        List<DomainWeight> even = IntStream.range(0, 7)
                .mapToObj(i -> new DomainWeight("z" + i, 1))
                .toList();
        String over = " over " + ZONE + ": ";

        assertThat(breachesOf(PolicyRule.over(ZONE).withMaxPods(1)))
                .containsExactly("maxPods 1" + over + "z6 has 7, z5 has 6, z4 has 5, z3 has 4, z2 has 3 and 1 more");
        assertThat(breachesOf(PolicyRule.over(ZONE).withMaxPods(2)))
                .containsExactly("maxPods 2" + over + "z6 has 7, z5 has 6, z4 has 5, z3 has 4, z2 has 3");
        assertThat(breachesOf(PolicyRule.over(ZONE).withMaxPercent(21)))
                .containsExactly("maxPercent 21" + over + "z6 has 7, 6 of 28 at most");
        assertThat(breachesOf(PolicyRule.over(ZONE).withMaxDomains(6)))
                .containsExactly("maxDomains 6" + over + "7 have some");
        assertThat(breachesOf(PolicyRule.over(ZONE).using(List.of("x", "z1", "y"))))
                .containsExactly("mustUse" + over
                        + "without any: x, y; z6 has 7, z5 has 6, z4 has 5, z3 has 4, z2 has 3" + " and 1 more");
        assertThat(breachesOf(PolicyRule.over(ZONE).weighing(even)))
                .containsExactly(
                        "weights" + over + "z0 1 by weight 1 of 7, z1 2 by weight 1 of 7, z2 3 by weight 1 of 7,"
                                + " z4 5 by weight 1 of 7, z5 6 by weight 1 of 7 and others");
        assertThat(breachesOf(PolicyRule.over(ZONE).weighing(even.subList(4, 7))))
                .containsExactly(
                        "weights" + over + "z4 5 by weight 1 of 3, z6 7 by weight 1 of 3, z3 4 without a weight,"
                                + " z2 3 without a weight, z1 2 without a weight and others");
        assertThat(breachesOf(PolicyRule.over(ZONE).weighing(even.subList(1, 5))))
                .containsExactly(
                        "weights" + over + "z1 2 by weight 1 of 4, z4 5 by weight 1 of 4, z6 7 without a weight,"
                                + " z5 6 without a weight, z0 1 without a weight");

        pods.values().stream().filter(pod -> !pod.name().endsWith("0")).forEach(cluster::remove);
        assertThat(breachesOf(PolicyRule.over(ZONE).using(List.of("x")))).isEmpty();
        assertThat(breachesOf(PolicyRule.over(ZONE).using(List.of("x")).withMaxDomains(8)))
                .isEmpty();
        assertThat(breachesOf(PolicyRule.over(ZONE).using(List.of("x")).withMaxDomains(7)))
                .containsExactly("mustUse" + over + "without any: x, and no domain may be added");
    }

    private List<String> breachesOf(PolicyRule rule) {
        put("one", rule);
        return messages("one");
    }

    @Test
    void roomIsCountedInPodsAndDomains() {
        assertThat(contradictionsOf(0, PolicyRule.over(ZONE).withMaxPods(1)))
                .containsExactly("DomainWithoutNodes: no node has the label " + ZONE);
        node("a", "a");
        node("b", "b");
        node("c", "c");
        String over = " over " + ZONE + ": ";

        assertThat(contradictionsOf(3, PolicyRule.over(ZONE).weighing(List.of(new DomainWeight("x", 1)))))
                .containsExactly(
                        "DomainWithoutNodes: weights" + over + "no node is in x, whose share of 3 pods is 3",
                        "DomainWithoutNodes: weights" + over + "no node is in a domain that has one");
        assertThat(contradictionsOf(
                        10,
                        PolicyRule.over(ZONE).weighing(List.of(new DomainWeight("a", 9), new DomainWeight("x", 1)))))
                .containsExactly("DomainWithoutNodes: weights" + over + "no node is in x, whose share of 10 pods is 1");
        assertThat(contradictionsOf(10, PolicyRule.over(ZONE).withMaxPercent(30)))
                .as("three of ten each")
                .containsExactly("PercentTooSmall: maxPercent 30" + over + "room for 9 of 10 pods in 3 domains");
        assertThat(contradictionsOf(12, PolicyRule.over(ZONE).withMaxPercent(30)))
                .isEmpty();
        assertThat(contradictionsOf(10, PolicyRule.over(ZONE).withMaxPercent(30).withMaxPods(3)))
                .as("either cap is as tight")
                .containsExactly("CapTooSmall: maxPods 3" + over + "room for 9 of 10 pods in 3 domains");
        assertThat(contradictionsOf(10, PolicyRule.over(ZONE).withMaxPercent(30).withMaxPods(4)))
                .containsExactly("PercentTooSmall: maxPercent 30" + over + "room for 9 of 10 pods in 3 domains");
        assertThat(contradictionsOf(9, PolicyRule.over(ZONE).withMaxPods(3))).isEmpty();
        assertThat(contradictionsOf(9, PolicyRule.over(ZONE).withMaxPercent(100)))
                .isEmpty();
        assertThat(contradictionsOf(
                        7,
                        PolicyRule.over(ZONE)
                                .withMaxPods(3)
                                .weighing(List.of(
                                        new DomainWeight("a", 1), new DomainWeight("b", 1), new DomainWeight("c", 0)))))
                .containsExactly("CapTooSmall: maxPods 3" + over + "room for 6 of 7 pods in 2 domains");
        assertThat(contradictionsOf(
                        3,
                        PolicyRule.over(ZONE).using(List.of("a", "b")),
                        PolicyRule.over(ZONE).using(List.of("c")).withMaxDomains(2)))
                .containsExactly("RulesConflict: over " + ZONE + ": mustUse has 3 domains, maxDomains is 2");
        assertThat(contradictionsOf(
                        2,
                        PolicyRule.over(ZONE).using(List.of("a", "b")),
                        PolicyRule.over(ZONE).using(List.of("c")).withMaxDomains(2)))
                .isEmpty();
        assertThat(contradictionsOf(
                        9,
                        PolicyRule.over(ZONE)
                                .using(List.of("a"))
                                .weighing(List.of(new DomainWeight("a", 0), new DomainWeight("b", 1)))))
                .containsExactly("DomainWithoutWeight: mustUse" + over + "weights give a none of the pods");
        PolicySpec wide = PolicySpec.of(WEB, List.of(PolicyRule.over(ZONE).withMaxPods(1)))
                .over(LabelSelector.EVERYTHING);
        cluster.put(new PlacementPolicy(ObjectMeta.named("shop", "one"), wide));
        assertThat(read("one", 9).contradictions())
                .as("other namespaces' pods may be anywhere")
                .isEmpty();
    }

    private List<String> contradictionsOf(int waiting, PolicyRule... rules) {
        cluster.put(new PlacementPolicy(ObjectMeta.named("shop", "one"), PolicySpec.of(WEB, List.of(rules))));
        return contradictions(waiting);
    }

    private List<String> contradictions(int waiting) {
        return read("one", waiting).contradictions().stream()
                .map(one -> one.reason() + ": " + one.message())
                .toList();
    }

    /** Of the policy one of a namespace and another one, which may be about all of its pods. */
    @Test
    void conflictsAreWithPoliciesThatAreAboutAllOfThePods() {
        node("a", "a");
        node("b", "b");
        node("c", "c");
        put("one", PolicyRule.over(ZONE).using(List.of("a", "b")));
        List<PolicyRule> cap = List.of(PolicyRule.over(ZONE).withMaxDomains(1).withMaxPods(1));
        String conflict = "PoliciesConflict: mustUse over " + ZONE + ": 2 domains must be used, and maxDomains of ";
        LabelSelector larger = LabelSelector.matchingLabels(Labels.of("app", "web", "tier", "front"));
        PolicySpec everywhere = PolicySpec.of(WEB, cap).over(LabelSelector.EVERYTHING);
        ObjectMeta own = ObjectMeta.named("shop", "other");
        ObjectMeta wide = ObjectMeta.named("", "other");

        assertThat(beside(new PlacementPolicy(own, PolicySpec.of(WEB, cap)), 2))
                .containsExactly(conflict + "PlacementPolicy other is 1");
        assertThat(beside(new PlacementPolicy(own, PolicySpec.of(WEB, cap)), 1)).isEmpty();
        assertThat(beside(new PlacementPolicy(own, PolicySpec.of(LabelSelector.EVERYTHING, cap)), 2))
                .hasSize(1);
        assertThat(beside(new PlacementPolicy(own, PolicySpec.of(larger, cap)), 2))
                .isEmpty();
        assertThat(beside(new PlacementPolicy(ObjectMeta.named("other", "other"), PolicySpec.of(WEB, cap)), 2))
                .isEmpty();
        assertThat(beside(new ClusterPlacementPolicy(wide, everywhere), 2))
                .containsExactly(conflict + "ClusterPlacementPolicy other is 1");
        assertThat(beside(new ClusterPlacementPolicy(wide, everywhere.with(NamespaceCounting.SEPARATELY)), 2))
                .as("no rule is of all pods together")
                .isEmpty();
        LabelSelector blue = LabelSelector.matchingLabels(Labels.of("team", "blue"));
        assertThat(beside(new ClusterPlacementPolicy(wide, everywhere.over(blue)), 2))
                .as("the namespace may be another's")
                .isEmpty();
        List<PolicyRule> none = List.of(cap.getFirst().withMaxPods(0));
        assertThat(beside(new PlacementPolicy(own, PolicySpec.of(WEB, none)), 2))
                .as("one that cannot be kept holds for none")
                .isEmpty();

        List<PolicyRule> others = List.of(PolicyRule.over("rack").withMaxDomains(1));
        assertThat(beside(new PlacementPolicy(own, PolicySpec.of(WEB, others)), 2))
                .isEmpty();
        List<PolicyRule> weights = List.of(PolicyRule.over(ZONE)
                .weighing(List.of(new DomainWeight("a", 1), new DomainWeight("c", 1), new DomainWeight("b", 0))));
        assertThat(beside(new PlacementPolicy(own, PolicySpec.of(WEB, weights)), 2))
                .containsExactly("PoliciesConflict: mustUse over " + ZONE
                        + ": weights of PlacementPolicy other give b none of the pods");
    }

    @Test
    void conflictsOfSharesAndRoomAreToldOnce() {
        node("a", "a");
        node("b", "b");
        PlacementPolicy skewed = new PlacementPolicy(
                ObjectMeta.named("shop", "other"),
                PolicySpec.of(WEB, List.of(PolicyRule.over(ZONE).withMaxSkew(1).withMaxPods(3))));
        put("one", PolicyRule.over(ZONE).weighing(List.of(new DomainWeight("a", 3), new DomainWeight("b", 1))));
        assertThat(beside(skewed, 8))
                .containsExactly("PoliciesConflict: over " + ZONE
                        + ", with PlacementPolicy other: by weights a has 6 of 8" + " pods and b 2, maxSkew is 1");
        put("one", PolicyRule.over(ZONE).withMaxPercent(60));
        assertThat(beside(skewed, 7))
                .containsExactly("PoliciesConflict: over " + ZONE
                        + ": with PlacementPolicy other there is room for 6 of 7 pods");
        assertThat(beside(skewed, 6)).isEmpty();
    }

    private List<String> beside(PolicyObject other, int waiting) {
        cluster.put(other);
        List<String> contradictions = contradictions(waiting);
        cluster.remove(other);
        return contradictions;
    }

    @Test
    void policiesOfTheClusterEncloseOnesOfFewerNamespaces() {
        node("a", "a");
        LabelSelector blue = LabelSelector.matchingLabels(Labels.of("team", "blue"));
        LabelSelector bluer = LabelSelector.matchingLabels(Labels.of("team", "blue", "tier", "front"));
        PolicySpec capped = PolicySpec.of(WEB, List.of(PolicyRule.over(ZONE).withMaxPods(1)));
        PolicySpec loose = PolicySpec.of(WEB, List.of(PolicyRule.over(ZONE).withMaxPods(9)));
        ClusterPlacementPolicy outer = new ClusterPlacementPolicy(ObjectMeta.named("", "other"), capped.over(blue));
        for (LabelSelector inner : List.of(blue, bluer)) {
            cluster.put(new ClusterPlacementPolicy(ObjectMeta.named("", "one"), loose.over(inner)));
            assertThat(beside(outer, 2)).singleElement().asString().startsWith("PoliciesConflict: ");
        }
        cluster.put(new ClusterPlacementPolicy(ObjectMeta.named("", "one"), loose.over(LabelSelector.EVERYTHING)));
        assertThat(beside(outer, 2)).isEmpty();
        cluster.remove(new ClusterPlacementPolicy(ObjectMeta.named("", "one"), loose));
        cluster.put(new ClusterPlacementPolicy(ObjectMeta.named("", "one"), loose.over(blue)));
        assertThat(beside(new PlacementPolicy(ObjectMeta.named("", "other"), capped), 2))
                .as("a namespace is less than the cluster")
                .isEmpty();
    }

    private void change(SplittableRandom random) {
        if (nodes.size() < 4 || random.nextInt(8) == 0) {
            String name = "n" + random.nextInt(6);
            if (nodes.containsKey(name) && pods.values().stream().noneMatch(pod -> isOn(pod, name))) {
                cluster.remove(nodes.remove(name));
            } else {
                node(name, "z" + random.nextInt(4));
            }
            return;
        }
        String name = "p" + random.nextInt(7);
        if (pods.containsKey(name)) {
            cluster.remove(pods.remove(name));
        } else {
            List<String> names = List.copyOf(nodes.keySet());
            place(name, names.get(random.nextInt(random.nextBoolean() ? 1 : names.size())));
        }
    }

    private static boolean isOn(Pod pod, String node) {
        return pod.spec().nodeName().equals(node);
    }

    private void node(String name, String zone) {
        nodes.put(name, NodeBuilder.node(name).zone(zone).build());
        cluster.put(nodes.get(name));
    }

    private void place(String name, String node) {
        pods.put(
                name,
                PodBuilder.pod("shop", name).label("app", "web").nodeName(node).build());
        cluster.put(pods.get(name));
    }

    private PlacementPolicy put(String name, PolicyRule rule) {
        PlacementPolicy policy = new PlacementPolicy(
                ObjectMeta.named("shop", name),
                PolicySpec.of(LabelSelector.matchingLabels(Labels.of("app", "web")), List.of(rule)));
        cluster.put(policy);
        return policy;
    }

    private PolicyReading read(String name, int waiting) {
        return readings.all().stream()
                .filter(one -> one.policy().meta().name().equals(name))
                .findFirst()
                .orElseThrow()
                .read(waiting, 50);
    }

    private Map<String, Integer> recount() {
        Map<String, Integer> counts = new TreeMap<>();
        for (Node node : nodes.values()) {
            int there = (int)
                    pods.values().stream().filter(pod -> isOn(pod, node.name())).count();
            counts.merge(node.labels().getOrDefault(ZONE, ""), there, Integer::sum);
        }
        return counts;
    }

    private static int placed(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(count -> count).sum();
    }

    private static PolicyRule rule(SplittableRandom random) {
        PolicyRule rule = PolicyRule.over(ZONE);
        rule = random.nextInt(3) == 0 ? rule.withMaxPods(1 + random.nextInt(3)) : rule;
        rule = random.nextInt(3) == 0 ? rule.withMaxPercent(20 + random.nextInt(60)) : rule;
        rule = random.nextInt(3) == 0 ? rule.withMaxDomains(1 + random.nextInt(3)) : rule;
        rule = random.nextInt(3) == 0 ? rule.withMaxSkew(1 + random.nextInt(2)) : rule;
        rule = random.nextInt(3) == 0
                ? rule.using(zones(random)
                        .map(i -> "z" + i)
                        .limit(Math.min(2, rule.maxDomains().orElse(2)))
                        .toList())
                : rule;
        return random.nextInt(3) == 0 || rule.equals(PolicyRule.over(ZONE))
                ? rule.weighing(zones(random)
                        .map(i -> new DomainWeight("z" + i, 1 + random.nextInt(4)))
                        .toList())
                : rule;
    }

    private static Stream<Integer> zones(SplittableRandom random) {
        return random.ints(3, 0, 4).distinct().boxed();
    }

    /** The limits that a distribution breaks, by their words. */
    private static List<String> broken(PolicyRule rule, Map<String, Integer> counts) {
        int all = placed(counts);
        int most = counts.values().stream().mapToInt(count -> count).max().orElse(0);
        long used = counts.values().stream().filter(count -> count > 0).count();
        List<String> broken = new ArrayList<>();
        if (most > rule.maxPods().orElse(Integer.MAX_VALUE)) {
            broken.add("MAX_PODS");
        }
        if (most > Math.ceil(all * rule.maxPercent().orElse(100) / 100.0)) {
            broken.add("MAX_PERCENT");
        }
        if (used > rule.maxDomains().orElse(Integer.MAX_VALUE)) {
            broken.add("MAX_DOMAINS");
        }
        long missing = rule.mustUse().stream()
                .filter(zone -> counts.getOrDefault(zone, 0) == 0)
                .count();
        if (missing > 0 && (most > 1 || used + missing > rule.maxDomains().orElse(Integer.MAX_VALUE))) {
            broken.add("MUST_USE");
        }
        if (!rule.weights().isEmpty() && !areByWeight(rule.weights(), counts)) {
            broken.add("WEIGHTS");
        }
        if (all > 0 && most - fewest(rule, counts) > rule.maxSkew().orElse(Integer.MAX_VALUE)) {
            broken.add("MAX_SKEW");
        }
        return broken;
    }

    /** The fewest and the most pods of a domain; of these, where no other may be used, the ones in use. */
    private static List<Integer> span(PolicyRule rule, Map<String, Integer> counts) {
        int most = counts.values().stream().mapToInt(count -> count).max().orElse(0);
        return List.of(Math.min(fewest(rule, counts), most), most);
    }

    private static int fewest(PolicyRule rule, Map<String, Integer> counts) {
        long used = counts.values().stream().filter(count -> count > 0).count();
        boolean full = used >= rule.maxDomains().orElse(Integer.MAX_VALUE);
        return counts.values().stream()
                .mapToInt(count -> count)
                .filter(count -> !full || count > 0)
                .min()
                .orElse(0);
    }

    private static boolean areByWeight(List<DomainWeight> weights, Map<String, Integer> counts) {
        double sum = weights.stream().mapToInt(DomainWeight::weight).sum();
        Map<String, Integer> byWeight =
                weights.stream().collect(Collectors.toMap(DomainWeight::domain, DomainWeight::weight));
        int all = counts.entrySet().stream()
                .filter(one -> byWeight.containsKey(one.getKey()))
                .mapToInt(Map.Entry::getValue)
                .sum();
        return Stream.concat(counts.keySet().stream(), byWeight.keySet().stream())
                .allMatch(zone -> {
                    double share = all * byWeight.getOrDefault(zone, 0) / sum;
                    int has = counts.getOrDefault(zone, 0);
                    return has >= Math.floor(share + 1e-9) && has <= Math.ceil(share - 1e-9);
                });
    }

    /** All ways to distribute so many pods. */
    private static List<Map<String, Integer>> distributions(List<String> zones, int all) {
        if (zones.isEmpty()) {
            return all == 0 ? List.of(Map.of()) : List.of();
        }
        return IntStream.rangeClosed(0, all)
                .boxed()
                .flatMap(here -> distributions(zones.subList(1, zones.size()), all - here).stream()
                        .map(rest -> {
                            Map<String, Integer> whole = new TreeMap<>(rest);
                            whole.put(zones.getFirst(), here);
                            return whole;
                        }))
                .map(Map::copyOf)
                .toList();
    }
}
