package io.evenkeel.cluster;

import static io.evenkeel.cluster.ClusterDrawing.ZONES;
import static io.evenkeel.cluster.ClusterDrawing.app;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.evenkeel.cluster.SpreadSkews.Spread;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelRequirement.Operator;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadSkewsTest {
    private final ClusterState cluster = cluster("a: n1[web web web]", "b: n2[web]", "c: n3[db]");
    private final List<PodInfo> waiting = new ArrayList<>();

    @Test
    void theSkewIsTheFullestDomainLessTheEmptiest() {
        constrain("web", 1);

        assertThat(SpreadSkews.worst(cluster.view(), 10).spreads())
                .containsExactly(new Spread("default", ZONES.label(), "app=web", true, 1, 3, 3, 1));
    }

    @Test
    void theWorstComeFirstAndTheRestIsCounted() {
        constrain("db", 1);
        constrain("web", 1);

        SpreadSkews.Worst worst = SpreadSkews.worst(cluster.view(), 1);
        assertThat(worst.spreads()).extracting(Spread::selector).containsExactly("app=web");
        assertThat(worst.leftOut()).isEqualTo(1);
    }

    @Test
    void onlyDomainsBeyondWhatIsAllowedViolate() {
        cluster.put(app("more", "web").nodeName("n3").build());
        cluster.put(app("most", "web").nodeName("n3").build());
        constrain("web", 1);

        assertThat(spreads()).containsExactly(new Spread("default", ZONES.label(), "app=web", true, 1, 2, 3, 1));
    }

    /** As if there were an empty domain more. */
    @Test
    void whereDomainsAreTooFewTheEmptiestHasNone() {
        cluster.put(app("more", "web").nodeName("n3").build());
        count(hard(1, "web", 3));
        count(hard(2, "web", 4));

        assertThat(spreads())
                .containsExactlyInAnyOrder(
                        new Spread("default", ZONES.label(), "app=web", true, 1, 2, 3, 1),
                        new Spread("default", ZONES.label(), "app=web", true, 2, 3, 3, 1));
    }

    @Test
    void whereThereAreNoDomainsNothingIsUneven() {
        ClusterState withoutZones = cluster("-: n1[web web]");
        count(withoutZones, hard(1, "web", 1), NodeEligibility.Key.having(ZONES.label()));

        assertThat(SpreadSkews.worst(withoutZones.view(), 10).spreads())
                .containsExactly(new Spread("default", ZONES.label(), "app=web", true, 1, 0, 0, 0));
    }

    @Test
    void oneThatOnlyDislikesIsReadFromItsOwnCounterAndHasAllDomainsThatItNeeds() {
        TopologySpreadConstraint soft =
                TopologySpreadConstraint.of(1, ZONES.label(), WhenUnsatisfiable.SCHEDULE_ANYWAY, selecting("web"));
        count(hard(1, "db", 1));
        count(soft);
        cluster.admit(spread("hard-too", hard(1, "web", 1)));

        assertThat(spreads())
                .extracting(Spread::hard, Spread::selector, Spread::skew, Spread::excess)
                .containsExactly(tuple(false, "app=web", 3, 2), tuple(true, "app=db", 1, 0));
    }

    /** As where one honours the nodes' taints, so that it counts others. */
    @Test
    void ofWorkloadsWithTheSameConstraintTheWorseOffIsThere() {
        TopologySpreadConstraint constraint = hard(1, "web", 1);
        NodeEligibility.Key all = NodeEligibility.Key.having(ZONES.label());
        count(cluster, constraint, all);
        cluster.put(NodeBuilder.node("n4").zone("d").label("rack", "r").build());
        count(
                cluster,
                constraint,
                new NodeEligibility.Key(
                        List.of("rack", ZONES.label()), all.requirement(), all.taintsHonoured(), all.tolerations()));

        assertThat(spreads()).extracting(Spread::skew, Spread::domains).containsExactly(tuple(3, 4));
    }

    @Test
    void thoseThatAreAsBadComeInTheOrderOfTheirNames() {
        count(hard(4, "web", 1));
        count(hard(2, "db", 1));
        count(hard(3, "web", 1));

        assertThat(spreads())
                .extracting(Spread::selector, Spread::maxSkew)
                .containsExactly(tuple("app=web", 3), tuple("app=db", 2), tuple("app=web", 4));
    }

    @Test
    void selectorsAreWrittenAsKubectlWritesThem() {
        count(hard(1, LabelSelector.NOTHING));
        count(hard(2, LabelSelector.of(List.of(new LabelRequirement("app", Operator.IN, List.of("db", "web"))))));
        count(hard(3, LabelSelector.of(List.of(new LabelRequirement("app", Operator.NOT_IN, List.of("db"))))));
        count(hard(
                4,
                LabelSelector.of(List.of(
                        new LabelRequirement("app", Operator.EXISTS, List.of()),
                        new LabelRequirement("tier", Operator.DOES_NOT_EXIST, List.of())))));

        assertThat(spreads())
                .extracting(Spread::selector)
                .containsExactlyInAnyOrder("<none>", "app in (db,web)", "app notin (db)", "app,!tier");
    }

    @Test
    void aConstraintThatNobodyCountsForIsNotThere() {
        cluster.admit(spread("new-web", hard(1, "web", 1)));

        assertThat(spreads()).isEmpty();
    }

    @Test
    void norIsOneOfPodsThatAreGone() {
        constrain("web", 1);
        cluster.put(app("q", "web").spread(hard(2, "web", 1)).nodeName("n1").build());
        count(hard(2, "web", 1));
        waiting.forEach(cluster::dismiss);
        assertThat(spreads()).extracting(Spread::maxSkew).containsExactly(2);

        cluster.removePod("default/q");
        assertThat(spreads()).isEmpty();
    }

    private List<Spread> spreads() {
        return SpreadSkews.worst(cluster.view(), 10).spreads();
    }

    private void constrain(String app, int maxSkew) {
        count(hard(maxSkew, app, 1));
    }

    private void count(TopologySpreadConstraint constraint) {
        count(cluster, constraint, NodeEligibility.Key.having(ZONES.label()));
    }

    /** As for a pod with the constraint that waits. */
    private void count(ClusterState cluster, TopologySpreadConstraint constraint, NodeEligibility.Key eligibility) {
        PodMatch match = new PodMatch(NamespaceScope.only("default"), constraint.labelSelector());
        SelectorGroup group = cluster.view().selectors().acquire(new SelectorGroup.Key(List.of(match), false));
        cluster.view().counters().acquire(group.tally(), ZONES, eligibility, constraint.isHard());
        waiting.add(cluster.admit(spread("waiting", constraint)));
    }

    private static Pod spread(String name, TopologySpreadConstraint constraint) {
        return app(name, "any").spread(constraint).build();
    }

    private static TopologySpreadConstraint hard(int maxSkew, LabelSelector selector) {
        return TopologySpreadConstraint.of(maxSkew, ZONES.label(), WhenUnsatisfiable.DO_NOT_SCHEDULE, selector);
    }

    private static TopologySpreadConstraint hard(int maxSkew, String app, int minDomains) {
        return new TopologySpreadConstraint(
                maxSkew,
                ZONES.label(),
                WhenUnsatisfiable.DO_NOT_SCHEDULE,
                selecting(app),
                minDomains,
                NodeInclusionPolicy.HONOR,
                NodeInclusionPolicy.IGNORE,
                List.of());
    }

    private static LabelSelector selecting(String app) {
        return LabelSelector.matchingLabels(Labels.of("app", app));
    }
}
