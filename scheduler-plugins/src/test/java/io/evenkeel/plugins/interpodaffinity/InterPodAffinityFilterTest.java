package io.evenkeel.plugins.interpodaffinity;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.interpodaffinity.Terms.HOST;
import static io.evenkeel.plugins.interpodaffinity.Terms.ZONE;
import static io.evenkeel.plugins.interpodaffinity.Terms.apart;
import static io.evenkeel.plugins.interpodaffinity.Terms.app;
import static io.evenkeel.plugins.interpodaffinity.Terms.in;
import static io.evenkeel.plugins.interpodaffinity.Terms.near;
import static io.evenkeel.plugins.interpodaffinity.Terms.selector;
import static io.evenkeel.plugins.interpodaffinity.Terms.term;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.config.PluginArgs.InterPodAffinityArgs;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelRequirement.Operator;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Zone a has the nodes a1 and a2, zone b has b1; the node "bare" has no labels. */
class InterPodAffinityFilterTest {
    private final ClusterState cluster = new ClusterState();
    private final Answers answers = new Answers(cluster, InterPodAffinityArgs.defaults());
    private int podNumber;

    @BeforeEach
    void drawCluster() {
        cluster.putNode(node("a1").label(ZONE, "a").label(HOST, "a1").build());
        cluster.putNode(node("a2").label(ZONE, "a").label(HOST, "a2").build());
        cluster.putNode(node("b1").label(ZONE, "b").label(HOST, "b1").build());
        cluster.putNode(node("bare").build());
    }

    @Test
    void aPodWithoutTermsThatNobodyShunsIsNotFilteredAtAll() {
        place("a1", labelled("web"));

        assertThat(answers.filterIsSkipped(labelled("db").build())).isTrue();
    }

    @Test
    void filteringIsSkippedWhereAntiAffinityMatchesButIsCarriedOutsideOfItsTopologyOnly() {
        place("bare", labelled("db").podAffinity(apart(app("web", ZONE))));

        assertThat(answers.filterIsSkipped(labelled("web").build())).isTrue();
        place("a1", labelled("db").podAffinity(apart(app("web", ZONE))));
        assertThat(answers.filterIsSkipped(labelled("web").build())).isFalse();
    }

    @Test
    void affinityLeadsToTheDomainsOfItsCompanions() {
        place("a1", labelled("db"));

        assertThat(feasible("web", near(app("db", ZONE)))).isEqualTo("a1 a2");
        assertThat(feasible("web", near(app("db", HOST)))).isEqualTo("a1");
    }

    @Test
    void whoLacksCompanionsIsNotHelpedByPreemption() {
        place("a1", labelled("db"));

        assertThat(verdict("b1", labelled("web").podAffinity(near(app("db", ZONE)))))
                .isEqualTo(Status.unresolvable("node(s) didn't match pod affinity rules"));
    }

    @Test
    void oneCompanionMustMatchAllTerms() {
        place("a1", labelled("db"));
        place("a1", pod("other").label("tier", "back"));
        PodAffinity both = near(app("db", ZONE), term(selector("tier", "back"), HOST));

        assertThat(feasible("web", both)).isEmpty();
        place("a2", labelled("db").label("tier", "back"));
        assertThat(feasible("web", both)).isEqualTo("a2");
    }

    @Test
    void theFirstOfASeriesMayStartOnAnyNodeWithTheKeys() {
        assertThat(feasible("web", near(app("web", ZONE)))).isEqualTo("a1 a2 b1");
        place("b1", labelled("web"));
        assertThat(feasible("web", near(app("web", ZONE)))).isEqualTo("b1");
    }

    @Test
    void nobodyIsFirstOfASeriesThatHeIsNotIn() {
        assertThat(feasible("web", near(app("db", ZONE)))).isEmpty();
        assertThat(feasible("web", near(app("web", ZONE), app("db", ZONE)))).isEmpty();
    }

    @Test
    void companionsOnNodesWithoutTheKeyDoNotEndTheFirstPodException() {
        place("bare", labelled("web"));

        assertThat(feasible("web", near(app("web", ZONE)))).isEqualTo("a1 a2 b1");
    }

    @Test
    void aCompanionThatCountsForOneKeyEndsTheFirstPodExceptionForAll() {
        cluster.putNode(node("hostless").label(ZONE, "c").build());
        place("hostless", labelled("web"));

        assertThat(feasible("web", near(app("web", ZONE), app("web", HOST)))).isEmpty();
    }

    @Test
    void antiAffinityRulesOutTheDomainsOfWhomItShuns() {
        place("a1", labelled("web"));

        assertThat(feasible("web", apart(app("web", ZONE)))).isEqualTo("b1 bare");
        assertThat(feasible("web", apart(app("web", HOST)))).isEqualTo("a2 b1 bare");
        assertThat(verdict("a1", labelled("web").podAffinity(apart(app("web", HOST)))))
                .isEqualTo(Status.unschedulable("node(s) didn't match pod anti-affinity rules"));
    }

    @Test
    void eachTermOfAntiAffinityRulesOutByItself() {
        place("a1", labelled("web"));
        place("b1", labelled("db"));

        assertThat(feasible("x", apart(app("web", HOST), app("db", ZONE)))).isEqualTo("a2 bare");
    }

    @Test
    void podsInPlaceKeepOthersOutOfTheirDomains() {
        place("a1", labelled("db").podAffinity(apart(app("web", ZONE))));

        assertThat(feasible("web", PodAffinity.NONE)).isEqualTo("b1 bare");
        assertThat(feasible("cache", PodAffinity.NONE)).isEqualTo("a1 a2 b1 bare");
        assertThat(verdict("a2", labelled("web")))
                .isEqualTo(Status.unschedulable("node(s) didn't satisfy existing pods anti-affinity rules"));
    }

    @Test
    void ownAffinityIsBlamedBeforeOwnAntiAffinityBeforeThatOfOthers() {
        place("a1", labelled("db").podAffinity(apart(app("web", ZONE))));
        place("b1", labelled("web"));
        PodAffinityTerm db = app("db", HOST);

        PodBuilder all = labelled("web")
                .podAffinity(new PodAffinity(
                        near(db).requiredAffinity(),
                        near().preferredAffinity(),
                        apart(db).requiredAntiAffinity(),
                        near().preferredAffinity()));
        assertThat(verdict("a1", all).message()).isEqualTo("node(s) didn't match pod anti-affinity rules");
        assertThat(verdict("a2", all).message()).isEqualTo("node(s) didn't match pod affinity rules");
        assertThat(verdict("a1", labelled("web").podAffinity(near(db))).message())
                .isEqualTo("node(s) didn't satisfy existing pods anti-affinity rules");
    }

    @Test
    void podsThatAreBeingDeletedCountUntilTheyAreGone() {
        place("a1", labelled("web").terminating(true));

        assertThat(feasible("web", apart(app("web", ZONE)))).isEqualTo("b1 bare");
        assertThat(feasible("x", near(app("web", ZONE)))).isEqualTo("a1 a2");
    }

    @Test
    void anAbsentSelectorMatchesNobodyAndAnEmptyOneEverybody() {
        place("a1", labelled("web"));

        assertThat(feasible("x", apart(term(LabelSelector.NOTHING, ZONE)))).isEqualTo("a1 a2 b1 bare");
        assertThat(feasible("x", apart(term(LabelSelector.EVERYTHING, ZONE)))).isEqualTo("b1 bare");
        assertThat(feasible("x", near(term(LabelSelector.NOTHING, ZONE)))).isEmpty();
    }

    @Test
    void withoutANamespaceSelectorATermMeansItsOwnNamespaceAndWithAnEmptyOneAll() {
        place("a1", PodBuilder.from(labelled("web").build()).namespace("elsewhere"));

        assertThat(feasible("x", apart(app("web", ZONE)))).isEqualTo("a1 a2 b1 bare");
        assertThat(feasible("x", apart(in(LabelSelector.EVERYTHING, app("web", ZONE)))))
                .isEqualTo("b1 bare");
        assertThat(feasible("x", apart(in("elsewhere", app("web", ZONE))))).isEqualTo("b1 bare");
    }

    /** As the reference, which asks such a selector about a namespace without labels too. */
    @Test
    void anOwnSelectorThatNoLabelsWouldMeetSelectsAllNamespaces() {
        namespace("blue", Labels.of("color", "blue"));
        place("a1", PodBuilder.from(labelled("web").build()).namespace("blue"));

        for (LabelSelector notBlue :
                List.of(requirement("color", Operator.NOT_IN, "blue"), requirement("color", Operator.DOES_NOT_EXIST))) {
            assertThat(feasible("x", apart(in(notBlue, app("web", ZONE))))).isEqualTo("b1 bare");
            assertThat(feasible("x", near(in(notBlue, app("web", ZONE))))).isEqualTo("a1 a2");
        }
        LabelSelector brightAndNotBlue = LabelSelector.of(List.of(
                new LabelRequirement("color", Operator.NOT_IN, List.of("blue")),
                new LabelRequirement("shade", Operator.EXISTS, List.of())));
        assertThat(feasible("x", apart(in(brightAndNotBlue, app("web", ZONE))))).isEqualTo("a1 a2 b1 bare");
    }

    @Test
    void theFirstOfASeriesIsACompanionOfItselfByASelectorThatNoLabelsWouldMeet() {
        namespace("default", Labels.of("color", "blue"));

        assertThat(feasible("web", near(in(requirement("color", Operator.NOT_IN, "blue"), app("web", ZONE)))))
                .isEqualTo("a1 a2 b1");
    }

    @Test
    void exactSelectorsSelectByTheNamespacesLabels() {
        namespace("blue", Labels.of("color", "blue"));
        namespace("plain", Labels.EMPTY);
        place("a1", PodBuilder.from(labelled("web").build()).namespace("blue"));
        place("b1", PodBuilder.from(labelled("web").build()).namespace("plain"));
        Answers exact = new Answers(cluster, new InterPodAffinityArgs(1, false, true));
        Pod pod = labelled("x")
                .podAffinity(apart(in(requirement("color", Operator.NOT_IN, "blue"), app("web", ZONE))))
                .build();

        assertThat(Answers.feasible(exact.verdicts(pod))).isEqualTo("a1 a2 bare");
        assertThat(Answers.feasible(answers.verdicts(pod))).isEqualTo("bare");
    }

    /** The term of a pod in place knows the newcomer's namespace, and is not concerned. */
    @Test
    void anExistingPodsSelectorThatNoLabelsWouldMeetReadsTheLabels() {
        namespace("default", Labels.of("color", "blue"));
        PodAffinityTerm notBlue = in(requirement("color", Operator.NOT_IN, "blue"), app("web", ZONE));
        place("a1", pod("away", "one").podAffinity(apart(notBlue)));

        assertThat(feasible("web", PodAffinity.NONE)).isEqualTo("a1 a2 b1 bare");
    }

    @Test
    void namespacesNamedAndSelectedAddUp() {
        namespace("blue", Labels.of("color", "blue"));
        place("a1", PodBuilder.from(labelled("web").build()).namespace("blue"));
        place("b1", PodBuilder.from(labelled("web").build()).namespace("named"));

        assertThat(feasible("x", apart(in("named", in(selector("color", "blue"), app("web", ZONE))))))
                .isEqualTo("bare");
    }

    @Test
    void aNamespaceCountsByItsLabelsOfNow() {
        place("a1", PodBuilder.from(labelled("web").build()).namespace("blue"));
        PodAffinity shunsBlue = apart(in(selector("color", "blue"), app("web", ZONE)));

        assertThat(feasible("x", shunsBlue)).isEqualTo("a1 a2 b1 bare");
        namespace("blue", Labels.of("color", "blue"));
        assertThat(feasible("x", shunsBlue)).isEqualTo("b1 bare");
        namespace("blue", Labels.EMPTY);
        assertThat(feasible("x", shunsBlue)).isEqualTo("a1 a2 b1 bare");
    }

    @Test
    void anExistingPodsTermReadsTheNamespaceOfTheNewcomer() {
        PodAffinityTerm ownNamespace = app("web", ZONE);
        place("a1", pod("away", "one").podAffinity(apart(ownNamespace)));
        place("b1", pod("away", "two").podAffinity(apart(in(selector("color", "blue"), ownNamespace))));

        assertThat(feasible("web", PodAffinity.NONE)).isEqualTo("a1 a2 b1 bare");
        namespace("default", Labels.of("color", "blue"));
        assertThat(feasible("web", PodAffinity.NONE)).isEqualTo("a1 a2 bare");
        assertThat(Answers.feasible(
                        answers.verdicts(pod("away", "new").label("app", "web").build())))
                .isEqualTo("b1 bare");
    }

    private static LabelSelector requirement(String key, Operator operator, String... values) {
        return LabelSelector.of(List.of(new LabelRequirement(key, operator, List.of(values))));
    }

    private Status verdict(String node, PodBuilder pod) {
        Status verdict = answers.verdicts(pod.build()).get(node);
        assertThat(answers.verdictsOneByOne(pod.build())).containsEntry(node, verdict);
        return verdict;
    }

    private String feasible(String app, PodAffinity affinity) {
        return Answers.feasible(
                answers.verdicts(labelled(app).podAffinity(affinity).build()));
    }

    private PodBuilder labelled(String app) {
        return pod("p" + podNumber++).label("app", app);
    }

    private void place(String node, PodBuilder builder) {
        Pod pod = builder.nodeName(node).build();
        cluster.putPod(pod);
    }

    private void namespace(String name, Labels labels) {
        cluster.put(new Namespace(ObjectMeta.named("", name).withLabels(labels)));
    }
}
