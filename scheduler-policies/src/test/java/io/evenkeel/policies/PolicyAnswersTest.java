package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Account.Spread;
import io.evenkeel.framework.why.Account.SpreadDomain;
import io.evenkeel.framework.why.Account.Words;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.NodeChange.NodeLabelled;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.model.policy.PolicyRule.RuleTerms;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.RelaxedDomain;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.PluginHarness;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The answers to why a pod waits for a policy: its counts in words, the labels that new nodes may have, labels for nodes. */
class PolicyAnswersTest {
    private static final LabelSelector WEB = LabelSelector.matchingLabels(Labels.of("app", "web"));
    private static final LabelSelector TEAM = LabelSelector.matchingLabels(Labels.of("team", "blue"));
    private static final PolicyRule ZONE = PolicyRule.over("zone");
    private static final PolicyRule SKEW = ZONE.withMaxSkew(1);
    private static final List<PolicyRule> RULES = List.of(ZONE.withMaxPods(1));
    private static final RuleTerms SOFT = RuleTerms.STRICT.whenUnsatisfiable(WhenUnsatisfiable.SCHEDULE_ANYWAY);
    private static final Pod POD =
            PodBuilder.pod("shop", "new").label("app", "web").build();

    private final PluginHarness harness = PluginHarness.cluster();
    private final ClusterState cluster = harness.state();
    private final PlacementPolicyPlugin plugin = new PlacementPolicyPlugin(harness.context());

    /** The owner of a pod may have written none of them. */
    @Test
    void eachPolicyIsNamedWithThePodsThatItIsAbout() {
        cluster.put(new Namespace(ObjectMeta.named("", "shop").withLabels(Labels.of("team", "blue"))));
        cluster.put(new PlacementPolicy(ObjectMeta.named("shop", "own"), PolicySpec.of(WEB, RULES)));
        cluster.put(new PlacementPolicy(
                ObjectMeta.named("shop", "wide"),
                PolicySpec.of(LabelSelector.EVERYTHING, RULES).over(TEAM)));
        cluster.put(new ClusterPlacementPolicy(
                ObjectMeta.named("", "default"), PolicySpec.of(WEB, RULES).over(TEAM)));
        cluster.put(new ClusterPlacementPolicy(
                ObjectMeta.named("", "others"), PolicySpec.of(WEB, RULES).over(LabelSelector.NOTHING)));

        assertThat(words())
                .filteredOn(text -> text.contains(" is about "))
                .containsExactly(
                        "PlacementPolicy own is about pods with app=web of namespace shop",
                        "PlacementPolicy wide is about all pods of namespace shop, and counts those of namespaces with"
                                + " team=blue",
                        "ClusterPlacementPolicy default is about pods with app=web of namespaces with team=blue, which"
                                + " count together");
    }

    @Test
    void ofPoliciesThatAreLeftOutOneIsNamedAndTheOthersCounted() {
        String note = " about the pod, too, and left out: 16 policies hold for a pod at most";
        IntStream.range(10, 26).forEach(this::anotherPolicy);
        assertThat(words()).noneMatch(text -> text.endsWith(note));
        anotherPolicy(26);
        assertThat(words()).last().isEqualTo("PlacementPolicy p26 is" + note);
        anotherPolicy(27);
        anotherPolicy(28);
        assertThat(words()).last().isEqualTo("PlacementPolicy p26 and 2 more are" + note);
    }

    private void anotherPolicy(int number) {
        cluster.put(new PlacementPolicy(ObjectMeta.named("shop", "p" + number), PolicySpec.of(WEB, RULES)));
    }

    /** Of pods two are in zone a and one in b; c is tainted, and d has no nodes. */
    @Test
    void eachLimitIsExplainedByItsCounts() {
        assertThat(explained(ZONE.withMaxPods(3))).containsExactly("web: maxPods 3 over zone: none");
        threeZones();

        assertThat(explained(ZONE.withMaxPods(3))).containsExactly("web: maxPods 3 over zone: a 2, b 1");
        assertThat(explained(ZONE.withMaxPercent(50)))
                .containsExactly("web: maxPercent 50 over zone: a 2, b 1, 2 at most");
        assertThat(explained(ZONE.withMaxDomains(2))).containsExactly("web: maxDomains 2 over zone: used are a 2, b 1");
        assertThat(explained(ZONE.using(List.of("a", "b")))).containsExactly("web: mustUse over zone: each has some");
        assertThat(explained(ZONE.using(List.of("a", "c", "d"))))
                .containsExactly("web: mustUse over zone: without any: c, d (which has no nodes)");
        assertThat(explained(ZONE.weighing(weights("a 2", "b 1", "d 1"))))
                .containsExactly("web: weights over zone: a 2 by weight 2, b 1 by weight 1, d 0 by weight 1;"
                        + " the next goes to d (which has no nodes)");
        assertThat(explained(ZONE.weighing(weights("c 1", "b 0", "d 1"))))
                .containsExactly("web: weights over zone: c 0 by weight 1, b 1 by weight 0, d 0 by weight 1;"
                        + " the next goes to c or d (which has no nodes)");
        assertThat(explained(SKEW.on(SOFT)))
                .containsExactly(
                        "web: maxSkew 1 over zone: a 2, b 1, 1 at least; a preference that turns no node away");
        assertThat(explained(ZONE.withMaxPods(3).withMaxDomains(2)))
                .containsExactly(
                        "web: maxPods 3 over zone: a 2, b 1", "web: maxDomains 2 over zone: used are a 2, b 1");
    }

    @Test
    void skewIsExplainedDomainByDomain() {
        threeZones();
        Spread spread = new Spread(
                "zone",
                1,
                1,
                "app=web",
                1,
                1,
                List.of(
                        new SpreadDomain("a", 2, true, 2, false),
                        new SpreadDomain("b", 1, true, 1, true),
                        new SpreadDomain("c", 0, false, 0, true)));
        assertThat(accounts(SKEW)).containsExactly(spread);

        assertThat(explained(SKEW.on(RuleTerms.STRICT.knowing(List.of("c", "d")))))
                .containsExactly("web: maxSkew 1 over zone: known domain c has 0, and no node that the pod may use");
        assertThat(explained(SKEW.on(RuleTerms.STRICT.knowing(List.of("d")))))
                .containsExactly("web: maxSkew 1 over zone: known domain d has 0, and no nodes");
        assertThat(explained(SKEW.on(RuleTerms.STRICT.knowing(List.of("d")).relaxedAfter(60)), "d", "b"))
                .containsExactly("web: maxSkew 1 over zone: d is not waited for: NoRoom since noon,"
                        + " b is not waited for: NoRoom since noon");
    }

    @Test
    void twentyDomainsAreNamedAndTheFullestFirst() {
        IntStream.range(10, 30).forEach(i -> {
            node("n" + i, "z" + i);
            place("p" + i, "n" + i);
        });
        place("more", "n15");
        String twenty = "web: maxPods 3 over zone: z15 2, "
                + IntStream.range(10, 30)
                        .filter(i -> i != 15)
                        .mapToObj(i -> "z" + i + " 1")
                        .collect(Collectors.joining(", "));
        assertThat(explained(ZONE.withMaxPods(3))).containsExactly(twenty);

        IntStream.range(30, 32).forEach(i -> {
            node("n" + i, "z" + i);
            place("p" + i, "n" + i);
        });
        assertThat(explained(ZONE.withMaxPods(3))).containsExactly(twenty + " and 2 more");
    }

    @Test
    void newNodesMayHaveTheLabelsOfDomainsThatAwaitThePod() {
        threeZones();
        assertThat(labels(ZONE.weighing(weights("a 2", "b 1", "d 1")))).containsExactly("zone=d");
        assertThat(labels(ZONE.weighing(weights("d 1", "c 1")))).containsExactly("zone=c", "zone=d");
        assertThat(labels(ZONE.using(List.of("d", "b", "c")))).containsExactly("zone=c", "zone=d");
        assertThat(labels(ZONE.using(List.of("a", "b")))).isEmpty();
        assertThat(labels(SKEW.on(RuleTerms.STRICT.knowing(List.of("d"))))).containsExactly("zone=d");
        assertThat(labels(SKEW.on(SOFT.knowing(List.of("d"))))).isEmpty();
        assertThat(labels(ZONE.withMaxPods(1))).isEmpty();
    }

    @Test
    void aNodeWithoutTheLabelMayGetThatOfADomainThatTakesThePodOrANewOne() {
        threeZones();
        cluster.put(NodeBuilder.node("bare").build());

        assertThat(remedies(SKEW, "bare")).containsExactly("b", "new-zone");
        assertThat(remedies(ZONE.withMaxPods(3), "bare")).containsExactly("a", "new-zone");
        assertThat(remedies(ZONE.withMaxPods(1).using(List.of("d")), "bare")).containsExactly("c", "new-zone");
        assertThat(remedies(ZONE.withMaxDomains(1).using(List.of("d")), "bare")).containsExactly("new-zone");

        cluster.remove(
                cluster.view().nodeInfo(cluster.view().nodes().find("n-b")).node());
        assertThat(remedies(SKEW.withMaxPods(2), "bare")).containsExactly("c", "new-zone");
    }

    private void threeZones() {
        node("n-a", "a");
        node("n-b", "b");
        cluster.put(NodeBuilder.node("n-c")
                .label("zone", "c")
                .taint("k", "v", TaintEffect.NO_SCHEDULE)
                .build());
        place("p1", "n-a");
        place("p2", "n-a");
        place("p3", "n-b");
    }

    private void node(String name, String zone) {
        cluster.put(NodeBuilder.node(name).label("zone", zone).build());
    }

    private void place(String name, String node) {
        cluster.put(
                PodBuilder.pod("shop", name).label("app", "web").nodeName(node).build());
    }

    private static List<DomainWeight> weights(String... weights) {
        return Stream.of(weights)
                .map(weight -> weight.split(" "))
                .map(parts -> new DomainWeight(parts[0], Integer.parseInt(parts[1])))
                .toList();
    }

    private void put(PolicyRule rule, String... relaxed) {
        List<RelaxedDomain> domains = Arrays.stream(relaxed)
                .map(domain -> new RelaxedDomain("zone", domain, "NoRoom", "noon"))
                .toList();
        cluster.put(new PlacementPolicy(
                ObjectMeta.named("shop", "web"),
                PolicySpec.of(WEB, List.of(rule)),
                new PolicyStatus(0, 0, 0, List.of(), domains, List.of(), List.of())));
    }

    /** Without the first, which says what the policy is about. */
    private List<Account> accounts(PolicyRule rule, String... relaxed) {
        put(rule, relaxed);
        List<Account> all = harness.with(POD, plugin::accounts);
        assertThat(harness.with(POD, plugin::rulesInForce)).isEqualTo(all);
        assertThat(all.getFirst())
                .isEqualTo(new Words("PlacementPolicy web is about pods with app=web of namespace shop"));
        return all.subList(1, all.size());
    }

    private List<String> explained(PolicyRule rule, String... relaxed) {
        return texts(accounts(rule, relaxed));
    }

    private List<String> words() {
        return texts(harness.with(POD, plugin::accounts));
    }

    private static List<String> texts(List<Account> accounts) {
        return accounts.stream()
                .filter(Words.class::isInstance)
                .map(account -> ((Words) account).text())
                .toList();
    }

    private List<String> labels(PolicyRule rule) {
        put(rule);
        return harness.with(POD, plugin::labelsOfNewNodes).stream()
                .flatMap(labels -> labels.asMap().entrySet().stream())
                .map(label -> label.getKey() + "=" + label.getValue())
                .toList();
    }

    /** The values of the labels. */
    private List<String> remedies(PolicyRule rule, String node) {
        put(rule);
        List<List<Change>> remedies = harness.with(
                POD,
                pod -> plugin.remedies(
                        pod, cluster.view().nodeInfo(cluster.view().nodes().find(node))));
        return remedies.stream()
                .flatMap(List::stream)
                .map(change -> (NodeLabelled) change)
                .map(NodeLabelled::value)
                .toList();
    }
}
