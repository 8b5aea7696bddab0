package io.evenkeel.cluster.counting;

import static io.evenkeel.cluster.ClusterDrawing.ZONES;
import static io.evenkeel.cluster.ClusterDrawing.app;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static io.evenkeel.cluster.ClusterDrawing.draw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.Tolerations;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@link SelectorIndex}, and {@link DomainCounters} that sum its groups up. */
class SelectorIndexTest {
    private static final NamespaceScope DEFAULT = NamespaceScope.only("default");
    private static final LabelSelector WEB = LabelSelector.matchingLabels(Labels.of("app", "web"));
    private static final NodeEligibility.Key IN_A_ZONE = NodeEligibility.Key.having(ZONES.label());

    private static SelectorGroup.Key pods(LabelSelector selector) {
        return new SelectorGroup.Key(List.of(new PodMatch(DEFAULT, selector)), false);
    }

    private static LabelSelector selector(String key, LabelRequirement.Operator operator, String... values) {
        return LabelSelector.of(List.of(new LabelRequirement(key, operator, List.of(values))));
    }

    private static String counted(ClusterState cluster, SelectorGroup group) {
        return draw(group.tally().counts(), cluster);
    }

    @Test
    void aGroupCountsThePodsThatAreThereAndThoseThatCome() {
        ClusterState cluster = cluster("a: n1[web web db] n2[]", "b: n3[web]");
        SelectorGroup web = cluster.view().selectors().acquire(pods(WEB));
        assertThat(counted(cluster, web)).isEqualTo("n1=2 n3=1");

        cluster.put(app("p9", "web").nodeName("n2").build());
        cluster.removePod("default/p0");
        assertThat(counted(cluster, web)).isEqualTo("n1=1 n2=1 n3=1");
    }

    @Test
    void aSelectorOfTenThousandValuesIsFiledOnceAndCountsAsAnyOther() {
        ClusterState cluster = cluster("a: n1[web web db] n2[]", "b: n3[web]");
        List<String> values = new ArrayList<>(List.of("web"));
        IntStream.range(0, 10_000).forEach(i -> values.add("v" + i));
        SelectorIndex selectors = cluster.view().selectors();
        SelectorGroup in =
                selectors.acquire(pods(selector("app", LabelRequirement.Operator.IN, values.toArray(String[]::new))));
        SelectorGroup notIn = selectors.acquire(
                pods(selector("app", LabelRequirement.Operator.NOT_IN, values.toArray(String[]::new))));

        assertThat(selectors.groupsByFilingLabel().size()).isEqualTo(2);
        assertThat(counted(cluster, in)).isEqualTo("n1=2 n3=1");
        assertThat(counted(cluster, notIn)).isEqualTo("n1=1");
        cluster.put(app("p9", "v77").nodeName("n2").build());
        assertThat(counted(cluster, in)).isEqualTo("n1=2 n2=1 n3=1");
        selectors.release(in);
        selectors.release(notIn);
        assertThat(selectors.groupsByFilingLabel().isEmpty()).isTrue();
    }

    @Test
    void aNewGroupAsksThoseThatHaveTheRarestOfItsLabels() {
        ClusterState cluster = cluster("a: n1[]");
        SelectorIndex selectors = cluster.view().selectors();
        selectors.acquire(pods(selector("app", LabelRequirement.Operator.EXISTS)));
        selectors.acquire(pods(selector("team", LabelRequirement.Operator.EXISTS)));
        IntStream.range(0, 100)
                .forEach(i -> cluster.put(app("p" + i, "app" + i)
                        .label("team", "x")
                        .nodeName("n1")
                        .build()));

        LabelRequirement ofTheTeam = in("team", "x");
        assertThat(asked(selectors, ofTheTeam, in("app", "app7"))).containsExactly("app7");
        assertThat(asked(selectors, in("app", "app7", "app8", "none"))).containsExactlyInAnyOrder("app7", "app8");
        assertThat(asked(selectors, in("app", "none"))).isEmpty();
        assertThat(asked(selectors, new LabelRequirement("app", LabelRequirement.Operator.EXISTS, List.of())))
                .hasSize(100);
    }

    private static LabelRequirement in(String key, String... values) {
        return new LabelRequirement(key, LabelRequirement.Operator.IN, List.of(values));
    }

    private static List<String> asked(SelectorIndex selectors, LabelRequirement... requirements) {
        List<String> asked = new ArrayList<>();
        selectors
                .classes()
                .forEachCandidate(
                        LabelSelector.of(List.of(requirements)),
                        labelClass -> asked.add(labelClass.key.mentionedLabels().getOrDefault("app", "")));
        return asked;
    }

    @Test
    void aPodThatIsRelabelledChangesSides() {
        ClusterState cluster = cluster("a: n1[web]");
        SelectorGroup web = cluster.view().selectors().acquire(pods(WEB));
        cluster.put(app("p0", "db").nodeName("n1").build());

        assertThat(counted(cluster, web)).isEmpty();
    }

    @Test
    void aTerminatingPodCountsForAffinityOnly() {
        ClusterState cluster = cluster("a: n1[web]");
        SelectorGroup spread = cluster.view().selectors().acquire(pods(WEB));
        SelectorGroup affinity =
                cluster.view().selectors().acquire(new SelectorGroup.Key(List.of(new PodMatch(DEFAULT, WEB)), true));
        cluster.put(app("p0", "web").terminating(true).nodeName("n1").build());

        assertThat(counted(cluster, spread)).isEmpty();
        assertThat(counted(cluster, affinity)).isEqualTo("n1=1");
    }

    @Test
    void selectorsOfEveryKindAreAsked() {
        ClusterState cluster = cluster("a: n1[web web db]");
        cluster.put(PodBuilder.pod("bare").nodeName("n1").build());

        assertThat(countOf(cluster, LabelSelector.EVERYTHING)).isEqualTo("n1=4");
        assertThat(countOf(cluster, LabelSelector.NOTHING)).isEmpty();
        assertThat(countOf(cluster, selector("app", LabelRequirement.Operator.NOT_IN, "web")))
                .isEqualTo("n1=2");
        assertThat(countOf(cluster, selector("app", LabelRequirement.Operator.EXISTS)))
                .isEqualTo("n1=3");
        assertThat(countOf(cluster, selector("app", LabelRequirement.Operator.DOES_NOT_EXIST)))
                .isEqualTo("n1=1");
        assertThat(countOf(cluster, selector("app", LabelRequirement.Operator.IN, "db", "web")))
                .isEqualTo("n1=3");
    }

    private static String countOf(ClusterState cluster, LabelSelector selector) {
        return counted(cluster, cluster.view().selectors().acquire(pods(selector)));
    }

    @Test
    void aConjunctionCountsWhatAllOfItsSelectorsMatch() {
        ClusterState cluster = cluster("a: n1[web db]");
        cluster.put(app("p9", "web").label("tier", "front").nodeName("n1").build());
        SelectorGroup both = cluster.view()
                .selectors()
                .acquire(new SelectorGroup.Key(
                        List.of(
                                new PodMatch(DEFAULT, WEB),
                                new PodMatch(DEFAULT, LabelSelector.matchingLabels(Labels.of("tier", "front")))),
                        true));

        assertThat(counted(cluster, both)).isEqualTo("n1=1");
    }

    @Test
    void aGroupThatSelectsByNothingAtAllIsAMistake() {
        assertThatThrownBy(() -> new SelectorGroup.Key(List.of(), true)).hasMessageContaining("at least one");
    }

    @Test
    void aNamespaceThatIsLabelledBringsItsPodsIn() {
        ClusterState cluster = cluster("a: n1[web]");
        NamespaceScope production =
                new NamespaceScope(List.of(), LabelSelector.matchingLabels(Labels.of("env", "prod")));
        SelectorGroup group = cluster.view()
                .selectors()
                .acquire(new SelectorGroup.Key(List.of(new PodMatch(production, WEB)), false));
        assertThat(counted(cluster, group)).isEmpty();

        cluster.put(new Namespace(ObjectMeta.named("", "default").withLabels(Labels.of("env", "prod"))));
        assertThat(counted(cluster, group)).isEqualTo("n1=1");
        cluster.remove(new Namespace(ObjectMeta.named("", "default")));
        assertThat(counted(cluster, group)).isEmpty();
    }

    @Test
    void podsThatNoSelectorTellsApartAreOneClass() {
        ClusterState cluster = cluster("a: n1[web web db db db]");
        assertThat(cluster.view().selectors().classes().all()).hasSize(1);

        SelectorGroup web = cluster.view().selectors().acquire(pods(WEB));
        assertThat(cluster.view().selectors().classes().all()).hasSize(2);
        cluster.view().selectors().release(web);
        assertThat(cluster.view().selectors().groups()).isEmpty();
    }

    @Test
    void classesAreMergedAfterManyLabelsAreMentionedNoMore() {
        ClusterState cluster = cluster("a: n1[web db]");
        List<SelectorGroup> groups = new ArrayList<>();
        groups.add(cluster.view().selectors().acquire(pods(WEB)));
        for (int i = 0; i < 8; i++) {
            groups.add(
                    cluster.view().selectors().acquire(pods(selector("key-" + i, LabelRequirement.Operator.EXISTS))));
        }
        groups.forEach(cluster.view().selectors()::release);

        assertThat(cluster.view().selectors().mentioned().selectorsByKey()).isEmpty();
        assertThat(cluster.view().selectors().classes().all()).hasSize(1);
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void equalGroupsAreSharedAndGoWithTheirLastUser() {
        ClusterState cluster = cluster("a: n1[web]");
        SelectorGroup group = cluster.view().selectors().acquire(pods(WEB));
        assertThat(cluster.view().selectors().acquire(pods(WEB))).isSameAs(group);

        cluster.view().selectors().release(group);
        assertThat(cluster.view().selectors().groups()).containsExactly(group);
        cluster.view().selectors().release(group);
        assertThat(cluster.view().selectors().groups()).isEmpty();
    }

    @Test
    void aCounterSumsAGroupUpByDomainAndKnowsTheMinimum() {
        ClusterState cluster = cluster("a: n1[web web] n2[web]", "b: n3[web]", "c: n4[db]", "-: n5[web]");
        SelectorGroup web = cluster.view().selectors().acquire(pods(WEB));
        DomainCounter byZone = cluster.view().counters().acquire(web.tally(), ZONES, IN_A_ZONE, true);

        assertThat(draw(byZone)).isEqualTo("a=3 b=1 c=0");
        assertThat(byZone.minimum()).isZero();
        assertThat(byZone.total()).isEqualTo(4);

        cluster.put(app("p9", "web").nodeName("n4").build());
        assertThat(byZone.minimum()).isOne();
        cluster.removeNode("n3");
        assertThat(draw(byZone)).isEqualTo("a=3 c=1");
        cluster.put(NodeBuilder.node("n3").zone("c").build());
        assertThat(draw(byZone)).isEqualTo("a=3 c=2");
    }

    @Test
    void aNodeThatIsNotEligibleBringsNeitherItsDomainNorItsPods() {
        ClusterState cluster = cluster("a: n1[web]", "b: n2[web]");
        cluster.put(NodeBuilder.node("n2").zone("b").label("disk", "hdd").build());
        NodeEligibility.Key onHdd = new NodeEligibility.Key(
                IN_A_ZONE.topologyKeys(),
                new NodeRequirement(Labels.of("disk", "hdd"), NodeRequirement.NONE.affinity()),
                false,
                Tolerations.NONE);
        SelectorGroup web = cluster.view().selectors().acquire(pods(WEB));
        DomainCounter byZone = cluster.view().counters().acquire(web.tally(), ZONES, onHdd, true);

        assertThat(draw(byZone)).isEqualTo("b=1");
        cluster.put(NodeBuilder.node("n2").zone("b").build());
        assertThat(draw(byZone)).isEmpty();
        assertThat(byZone.minimum()).isZero();
    }

    /** However many selectors a tenant has of its own pods, to the pods of others they are nothing. */
    @Test
    void selectorsOfOneNamespaceAreNotAskedAboutPodsOfAnother() {
        SelectorIndex selectors = cluster("a: n1[]").view().selectors();
        for (int i = 0; i < 100; i++) {
            selectors.acquire(pods(selector("app", LabelRequirement.Operator.NOT_IN, "own-" + i)));
        }
        List<SelectorGroup> asked = new ArrayList<>();
        selectors.groupsByFilingLabel().forEachCandidate("shop", Labels.of("app", "web"), asked::add);
        assertThat(asked).isEmpty();
        selectors.groupsByFilingLabel().forEachCandidate("default", Labels.of("app", "web"), asked::add);
        assertThat(asked).hasSize(100);
    }
}
