package io.evenkeel.plugins.podtopologyspread;

import static io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy.HONOR;
import static io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy.IGNORE;
import static io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable.DO_NOT_SCHEDULE;
import static io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable.SCHEDULE_ANYWAY;
import static io.evenkeel.plugins.podtopologyspread.DrawnCluster.HOSTNAME;
import static io.evenkeel.plugins.podtopologyspread.DrawnCluster.ZONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs.DefaultingType;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodTopologySpreadTest {
    private static final String TOO_SKEWED = "UNSCHEDULABLE node(s) didn't match pod topology spread constraints";
    private static final String MISSING =
            "UNSCHEDULABLE_AND_UNRESOLVABLE node(s) didn't match pod topology spread constraints (missing required"
                    + " label)";

    @Test
    void keepsAPodOutOfAZoneThatWouldGetTooFarAhead() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo foo] n2[foo] | b: n3[foo foo]");

        assertThat(cluster.filter(foo(hard(1, ZONE))))
                .containsEntry("n1", TOO_SKEWED)
                .containsEntry("n2", TOO_SKEWED)
                .containsEntry("n3", "fits");
        assertThat(cluster.filter(foo(hard(2, ZONE)))).containsEntry("n1", "fits");
    }

    @Test
    void theLargestMaxSkewAllowsEverything() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo foo foo] | b: n2[foo foo]");

        assertThat(cluster.filter(foo(hard(Integer.MAX_VALUE, ZONE))))
                .containsEntry("n1", "fits")
                .containsEntry("n2", "fits");
    }

    @Test
    void turnsNodesWithoutTheLabelAwayForGood() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[] | -: n2[]");

        assertThat(cluster.filter(foo(hard(1, ZONE))))
                .containsEntry("n1", "fits")
                .containsEntry("n2", MISSING);
    }

    @Test
    void theFirstConstraintThatFailsGivesTheReason() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo] n2[] | b: n3[] | -: n4[]");

        assertThat(cluster.filter(foo(hard(1, ZONE), hard(1, "nosuch"))))
                .containsEntry("n1", MISSING)
                .containsEntry("n4", MISSING);
        DrawnCluster skewed = DrawnCluster.of("a: n1[foo] n2[] | b: n3[]");
        skewed.state.putNode(NodeBuilder.from(skewed.state.view().nodes().node(2))
                .label("rack", "r1")
                .build());
        // Only n3 has all keys, so only zone b is counted, with no pods: zone a was never counted and stands at 0.
        assertThat(skewed.filter(foo(hard(1, ZONE), hard(1, "rack"))))
                .containsEntry("n1", MISSING)
                .containsEntry("n3", "fits");
    }

    @Test
    void aPodThatDoesNotMatchItsOwnSelectorAddsNothing() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo] | b: n2[]");

        assertThat(cluster.filter(pod("bar", constraint(1, ZONE, DO_NOT_SCHEDULE, app("foo")))))
                .containsEntry("n1", "fits");
    }

    @Test
    void tooFewDomainsMakeTheMinimumZero() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo] | b: n2[foo]");

        assertThat(cluster.filter(foo(hard(1, ZONE)))).containsEntry("n1", "fits");
        assertThat(cluster.filter(foo(minDomains(hard(1, ZONE), 3)))).containsEntry("n1", TOO_SKEWED);
        cluster.state.putNode(NodeBuilder.node("n3").hostname("n3").zone("c").build());
        assertThat(cluster.filter(foo(minDomains(hard(1, ZONE), 3))))
                .containsEntry("n1", TOO_SKEWED)
                .containsEntry("n3", "fits");
    }

    @Test
    void anAbsentSelectorCountsNobody() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo foo] | b: n2[]");

        assertThat(cluster.filter(foo(constraint(1, ZONE, DO_NOT_SCHEDULE, LabelSelector.NOTHING))))
                .containsEntry("n1", "fits");
    }

    @Test
    void anEmptySelectorCountsNobodyButThePodItself() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo foo] | b: n2[]");

        assertThat(cluster.filter(foo(constraint(1, ZONE, DO_NOT_SCHEDULE, LabelSelector.EVERYTHING))))
                .containsEntry("n1", "fits");
    }

    @Test
    void podsOfOtherNamespacesAndPodsBeingDeletedDoNotCount() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[] | b: n2[]");
        cluster.put(PodBuilder.pod("other", "x").label("app", "foo"), "n1");
        cluster.put(PodBuilder.pod("leaving").label("app", "foo").terminating(true), "n1");

        assertThat(cluster.filter(foo(hard(1, ZONE)))).containsEntry("n1", "fits");
    }

    @Test
    void nodeAffinityDecidesWhichNodesCountUnlessIgnored() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo] | b: n2[]");
        PodBuilder selecting = PodBuilder.pod("new").label("app", "foo").nodeSelector(ZONE, "a");

        assertThat(cluster.filter(selecting.spread(hard(1, ZONE)).build())).containsEntry("n1", "fits");
        PodBuilder ignoring = PodBuilder.pod("new").label("app", "foo").nodeSelector(ZONE, "a");
        assertThat(cluster.filter(
                        ignoring.spread(policies(hard(1, ZONE), IGNORE, IGNORE)).build()))
                .containsEntry("n1", TOO_SKEWED);
    }

    @Test
    void taintedNodesCountUnlessTaintsAreHonoured() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo] | b: n2[]");
        cluster.state.putNode(NodeBuilder.from(cluster.state.view().nodes().node(1))
                .taint("k", "v", TaintEffect.NO_SCHEDULE)
                .build());

        assertThat(cluster.filter(foo(hard(1, ZONE)))).containsEntry("n1", TOO_SKEWED);
        assertThat(cluster.filter(foo(policies(hard(1, ZONE), HONOR, HONOR)))).containsEntry("n1", "fits");
    }

    @Test
    void matchLabelKeysCountOnlyThePodsRevision() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[] | b: n2[]");
        cluster.put(PodBuilder.pod("old").label("app", "foo").label("hash", "1"), "n1");
        TopologySpreadConstraint byRevision = new TopologySpreadConstraint(
                1, ZONE, DO_NOT_SCHEDULE, app("foo"), 1, HONOR, IGNORE, List.of("hash", "absent"));

        Pod old = PodBuilder.pod("new")
                .label("app", "foo")
                .label("hash", "1")
                .spread(byRevision)
                .build();
        Pod next = PodBuilder.pod("new")
                .label("app", "foo")
                .label("hash", "2")
                .spread(byRevision)
                .build();
        assertThat(cluster.filter(old)).containsEntry("n1", TOO_SKEWED);
        assertThat(cluster.filter(next)).containsEntry("n1", "fits");
    }

    @Test
    void scoresEmptierZonesHigher() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo foo] | b: n2[foo] | c: n3[]");

        assertThat(cluster.score(foo(soft(1, ZONE))))
                .containsEntry("n1", 0)
                .containsEntry("n2", 33)
                .containsEntry("n3", 100);
    }

    @Test
    void scoresAllTheSameWhereNothingCounts() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[] | b: n2[]");

        assertThat(cluster.score(foo(soft(1, ZONE)))).containsEntry("n1", 100).containsEntry("n2", 100);
    }

    @Test
    void nodesWithoutTheLabelScoreNothing() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo] | b: n2[] | -: n3[]");

        assertThat(cluster.score(foo(soft(1, ZONE)))).containsEntry("n2", 100).containsEntry("n3", 0);
    }

    @Test
    void podsOfAServiceAreSpreadByDefault() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo] n2[] | b: n3[]");
        Pod pod = PodBuilder.pod("new").label("app", "foo").build();

        assertThat(cluster.score(pod)).isEmpty();
        cluster.state.put(new Service(ObjectMeta.named("default", "s"), Labels.of("app", "foo")));
        assertThat(cluster.score(pod)).containsEntry("n3", 100);
        assertThat(cluster.score(pod).get("n1")).isLessThan(cluster.score(pod).get("n2"));
    }

    @Test
    void listedDefaultsMayForbidAndAnEmptyListTurnsThemOff() {
        Service service = new Service(ObjectMeta.named("default", "s"), Labels.of("app", "foo"));
        Pod pod = PodBuilder.pod("new").label("app", "foo").build();
        DrawnCluster listed = DrawnCluster.of(
                "a: n1[foo] | b: n2[]",
                new PodTopologySpreadArgs(
                        DefaultingType.LIST, List.of(constraint(1, ZONE, DO_NOT_SCHEDULE, LabelSelector.NOTHING))));
        listed.state.put(service);
        DrawnCluster off =
                DrawnCluster.of("a: n1[foo] | b: n2[]", new PodTopologySpreadArgs(DefaultingType.LIST, List.of()));
        off.state.put(service);

        assertThat(listed.filter(pod)).containsEntry("n1", TOO_SKEWED).containsEntry("n2", "fits");
        assertThat(off.filter(pod)).containsEntry("n1", "fits");
        assertThat(off.score(pod)).isEmpty();
    }

    @Test
    void defaultsDoNotApplyToPodsWithAnyConstraintOfTheirOwn() {
        DrawnCluster cluster = DrawnCluster.of("a: n1[foo] | b: n2[]");
        cluster.state.put(new Service(ObjectMeta.named("default", "s"), Labels.of("app", "foo")));

        assertThat(cluster.score(foo(hard(5, HOSTNAME)))).isEmpty();
    }

    private static Pod foo(TopologySpreadConstraint... constraints) {
        return pod("foo", constraints);
    }

    private static Pod pod(String app, TopologySpreadConstraint... constraints) {
        PodBuilder pod = PodBuilder.pod("new").label("app", app);
        for (TopologySpreadConstraint constraint : constraints) {
            pod.spread(constraint);
        }
        return pod.build();
    }

    private static TopologySpreadConstraint hard(int maxSkew, String key) {
        return constraint(maxSkew, key, DO_NOT_SCHEDULE, app("foo"));
    }

    private static TopologySpreadConstraint soft(int maxSkew, String key) {
        return constraint(maxSkew, key, SCHEDULE_ANYWAY, app("foo"));
    }

    private static LabelSelector app(String value) {
        return LabelSelector.matchingLabels(Labels.of("app", value));
    }

    private static TopologySpreadConstraint constraint(
            int maxSkew, String key, WhenUnsatisfiable when, LabelSelector selector) {
        return TopologySpreadConstraint.of(maxSkew, key, when, selector);
    }

    private static TopologySpreadConstraint minDomains(TopologySpreadConstraint of, int minDomains) {
        return new TopologySpreadConstraint(
                of.maxSkew(),
                of.topologyKey(),
                of.whenUnsatisfiable(),
                of.labelSelector(),
                minDomains,
                of.nodeAffinityPolicy(),
                of.nodeTaintsPolicy(),
                List.of());
    }

    private static TopologySpreadConstraint policies(
            TopologySpreadConstraint of, NodeInclusionPolicy affinity, NodeInclusionPolicy taints) {
        return new TopologySpreadConstraint(
                of.maxSkew(),
                of.topologyKey(),
                of.whenUnsatisfiable(),
                of.labelSelector(),
                of.minDomains(),
                affinity,
                taints,
                List.of());
    }
}
