package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Interest;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.RuleTerms;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicySpec.NamespaceCounting;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.PluginHarness;
import io.evenkeel.queue.ClusterChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Policies come, hold for pods and go: what they count goes with them, and one that cannot be kept has its pods wait. */
class PolicyBookTest {
    private static final LabelSelector WEB = LabelSelector.matchingLabels(Labels.of("app", "web"));
    private static final Pod POD =
            PodBuilder.pod("shop", "new").label("app", "web").build();

    private final PluginHarness harness = PluginHarness.cluster();
    private final ClusterState cluster = harness.state();
    private final PlacementPolicyPlugin plugin = new PlacementPolicyPlugin(harness.context());

    @Test
    void policiesThatGoLeaveNothingBehind() {
        SplittableRandom random = new SplittableRandom(7);
        RandomPolicies drawn = new RandomPolicies(random);
        for (int i = 0; i < 20; i++) {
            cluster.put(drawn.node("n" + i));
            cluster.put(drawn.placed("p" + i, "n" + i));
        }
        String before = ClusterDump.of(cluster.view());
        for (int round = 0; round < 40; round++) {
            List<PolicyObject> policies = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                policies.add(i % 2 == 0 ? drawn.policy("p" + i) : drawn.softPolicy("p" + i));
                cluster.put(policies.getLast());
            }
            for (int i = 0; i < 50; i++) {
                Pod pod = drawn.pod("new").build();
                harness.filterEach(plugin, pod);
                harness.scores(plugin, pod);
            }
            assertThat(ClusterDump.of(cluster.view())).isNotEqualTo(before);
            policies.forEach(cluster::remove);
            assertThat(ClusterDump.of(cluster.view())).as("round %d", round).isEqualTo(before);
        }
    }

    /** Of kinds of pods more than are kept at once: the others are counted again when they are asked about. */
    @Test
    void kindsOfPodsWithoutEndAreCountedForAWhile() {
        cluster.put(NodeBuilder.node("n").label("zone", "a").build());
        PolicyRule byRevision =
                PolicyRule.over("zone").withMaxPods(1).on(RuleTerms.STRICT.matching(List.of("revision")));
        cluster.put(policy("web", byRevision));
        for (int i = 0; i < 1_100; i++) {
            harness.filterEach(
                    plugin, PodBuilder.from(POD).label("revision", "r" + i).build());
        }
        assertThat(ClusterDump.of(cluster.view()).lines().filter(line -> line.startsWith("group ")))
                .hasSizeBetween(1_024, 1_030);
        cluster.remove(policy("web", byRevision));
        assertThat(ClusterDump.of(cluster.view()).lines().filter(line -> line.startsWith("group ")))
                .isEmpty();
    }

    /** Each pod tolerates something else, so that other nodes are open to it. */
    @Test
    void viewsOfNodesWithoutEndAreCountedForAWhile() {
        cluster.put(NodeBuilder.node("n").label("zone", "a").build());
        PolicyRule skew = PolicyRule.over("zone").withMaxSkew(1);
        cluster.put(policy("web", skew));
        for (int i = 0; i < 50; i++) {
            harness.filterEach(
                    plugin, PodBuilder.from(POD).nodeSelector("zone", "z" + i).build());
        }
        long counters = counters();
        for (int i = 50; i < 100; i++) {
            harness.filterEach(
                    plugin, PodBuilder.from(POD).nodeSelector("zone", "z" + i).build());
        }
        assertThat(counters()).isEqualTo(counters).isGreaterThan(32);
    }

    private long counters() {
        return ClusterDump.of(cluster.view())
                .lines()
                .filter(line -> line.startsWith("counter "))
                .count();
    }

    @Test
    void aBookThatIsAtOddsWithTheClusterIsFoundAndEachPolicyDescribed() {
        PlacementPolicy own = policy("web", PolicyRule.over("zone").withMaxPods(1));
        PolicySpec spec = own.spec().over(LabelSelector.EVERYTHING);
        ClusterPlacementPolicy wide = new ClusterPlacementPolicy(ObjectMeta.named("", "wide"), spec);
        cluster.put(own);
        cluster.put(wide);
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        assertThat(ClusterDump.of(cluster.view()))
                .contains(
                        "policy shop/web " + own.spec(), "policy " + wide.meta().key() + " " + spec);

        for (PolicyObject one : List.of(own, wide)) {
            PolicyBook.of(cluster.view()).objectChanged(Optional.of(one), Optional.empty());
            assertThat(ClusterAudit.differences(cluster.view()))
                    .singleElement()
                    .asString()
                    .contains("policies")
                    .contains(one.kindName() + " " + one.meta().key());
            PolicyBook.of(cluster.view()).objectChanged(Optional.empty(), Optional.of(one));
            assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        }
    }

    @Test
    void aPolicyThatCannotBeKeptHasItsPodsWaitHoweverThePluginIsAsked() {
        Node node = NodeBuilder.node("n").label("zone", "a").build();
        cluster.put(node);
        cluster.put(policy("good", PolicyRule.over("zone").withMaxPods(1)));
        assertThat(harness.filterEach(plugin, POD)).containsEntry("n", Status.SUCCESS);
        assertThat(harness.preFilter(plugin, POD)).isEqualTo(PreFilterResult.PROCEED);

        cluster.put(policy("faulty", PolicyRule.over("zone").withMaxPods(0)));
        Status fault = Status.unresolvable(
                "PlacementPolicy faulty: spec.rules[0].maxPods: must be from 1 to 2147483647, got 0");
        assertThat(harness.preFilter(plugin, POD)).isEqualTo(new PreFilterResult.Rejected(fault));
        assertThat(harness.filterEach(plugin, POD)).containsEntry("n", fault);
        assertThat(harness.filterAll(plugin, POD)).containsEntry("n", fault);
        FilterDryRun run = harness.with(POD, plugin::dryRun);
        assertThat(run.begin(0)).isFalse();
        assertThat(run.verdict()).isEqualTo(fault);

        Pod other = PodBuilder.pod("shop", "other").build();
        assertThat(harness.preFilter(plugin, other)).isEqualTo(PreFilterResult.SKIP);
        assertThat(harness.with(other, plugin::dryRun)).isSameAs(FilterDryRun.PASSES);
    }

    @Test
    void pluginReadsBothKindsOfPolicies() {
        assertThat(plugin.reads()).containsExactlyInAnyOrder(Kinds.PLACEMENT_POLICY, Kinds.CLUSTER_PLACEMENT_POLICY);
    }

    @Test
    void changesWakeWhereTheyMayHelp() {
        Node node = NodeBuilder.node("n").label("zone", "a").build();
        Pod there = PodBuilder.from(POD).name("there").nodeName("n").build();
        cluster.put(node);
        cluster.put(there);
        cluster.put(policy("web", PolicyRule.over("zone").withMaxPods(1)));
        Optional<ClusterChange> more = ClusterChanges.between(Optional.empty(), Optional.of(node));
        Pod higher = PodBuilder.from(POD).priority(10).build();

        assertThat(harness.wakes(plugin, POD, more)).as("the zone is full").isFalse();
        assertThat(harness.wakes(plugin, higher, more))
                .as("the other may have to go")
                .isTrue();
        cluster.remove(there);
        assertThat(harness.wakes(plugin, POD, more)).isTrue();

        Optional<ClusterChange> faulty =
                wakingPolicy(policy("faulty", PolicyRule.over("zone").withMaxPods(0)));
        assertThat(harness.wakes(plugin, POD, more)).as("one cannot be kept").isFalse();
        assertThat(harness.wakes(plugin, higher, more)).isFalse();
        assertThat(harness.wakes(plugin, POD, faulty)).isTrue();
        Optional<ClusterChange> others = wakingPolicy(new PlacementPolicy(
                ObjectMeta.named("other", "web"),
                policy("web", PolicyRule.over("zone").withMaxPods(1)).spec()));
        assertThat(harness.wakes(plugin, POD, others)).isFalse();
    }

    private Optional<ClusterChange> wakingPolicy(PolicyObject policy) {
        cluster.put(policy);
        return ClusterChanges.between(Optional.empty(), Optional.of(policy));
    }

    /** A gang's pods go by one another, so that a node which changes may help wherever a policy holds. */
    @Test
    void nodesMatterToGangsThatPoliciesHoldFor() {
        Node node = NodeBuilder.node("n").label("zone", "a").build();
        ClusterChange added =
                ClusterChanges.between(Optional.empty(), Optional.of(node)).orElseThrow();
        ClusterChange deleted =
                ClusterChanges.between(Optional.of(node), Optional.empty()).orElseThrow();
        assertThat(isWokenAsGang(added)).isTrue();
        assertThat(isWokenAsGang(deleted)).isFalse();
        cluster.put(policy("web", PolicyRule.over("zone").withMaxPods(1)));
        assertThat(isWokenAsGang(deleted)).isTrue();
    }

    private boolean isWokenAsGang(ClusterChange change) {
        return harness.with(
                POD,
                pod -> plugin.wakeUps().stream()
                        .anyMatch(wakeUp ->
                                wakeUp.concerns(change) && wakeUp.gangHint().mayHelp(pod, change)));
    }

    /** Each pod is asked about at a change of nodes: none is filed by a name. */
    @Test
    void nodesAreOfInterestToAll() {
        List<Interest> interests = harness.with(
                POD,
                pod -> plugin.wakeUps().stream()
                        .filter(wakeUp -> wakeUp.kinds().contains(ChangeKind.NODE_ADDED))
                        .flatMap(wakeUp -> wakeUp.interest().stream())
                        .map(interest -> interest.apply(pod))
                        .toList());
        assertThat(interests).containsExactly(Interest.ANY);
    }

    /** A pod that is counted may use up what the other one needs; one that is not makes no difference. */
    @Test
    void ofNominatedPodsADryRunTakesInThoseThatNoRuleCounts() {
        cluster.put(NodeBuilder.node("n").label("zone", "a").build());
        cluster.put(NodeBuilder.node("bare").build());
        cluster.put(PodBuilder.from(POD).name("there").nodeName("n").build());
        cluster.put(policy("web", PolicyRule.over("zone").withMaxPods(1)));
        FilterDryRun run = harness.with(POD, plugin::dryRun);

        assertThat(run.isAlike()).isTrue();
        assertThat(run.begin(cluster.view().nodes().find("bare"))).isFalse();
        assertThat(run.begin(cluster.view().nodes().find("n"))).isTrue();
        assertThat(run.addNominated(
                        cluster.admit(PodBuilder.from(POD).name("nominated").build())))
                .isFalse();
        assertThat(run.addNominated(cluster.admit(PodBuilder.pod("shop", "db").build())))
                .isTrue();
        assertThat(run.addNominated(
                        cluster.admit(PodBuilder.from(POD).namespace("other").build())))
                .isTrue();
    }

    @Test
    void eachNamespaceCountsForItselfWhereThePolicySaysSo() {
        cluster.put(NodeBuilder.node("n").label("zone", "a").build());
        cluster.put(PodBuilder.from(POD).namespace("other").nodeName("n").build());
        PolicySpec spec =
                policy("web", PolicyRule.over("zone").withMaxPods(1)).spec().over(LabelSelector.EVERYTHING);
        cluster.put(new ClusterPlacementPolicy(ObjectMeta.named("", "wide"), spec));
        assertThat(harness.passing(plugin, POD)).isEmpty();
        cluster.put(new ClusterPlacementPolicy(ObjectMeta.named("", "wide"), spec.with(NamespaceCounting.SEPARATELY)));
        assertThat(harness.passing(plugin, POD)).containsExactly("n");
    }

    private static PlacementPolicy policy(String name, PolicyRule rule) {
        return new PlacementPolicy(ObjectMeta.named("shop", name), PolicySpec.of(WEB, List.of(rule)));
    }
}
