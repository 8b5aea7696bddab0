package io.evenkeel.plugins.interpodaffinity;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.interpodaffinity.Terms.HOST;
import static io.evenkeel.plugins.interpodaffinity.Terms.ZONE;
import static io.evenkeel.plugins.interpodaffinity.Terms.apart;
import static io.evenkeel.plugins.interpodaffinity.Terms.app;
import static io.evenkeel.plugins.interpodaffinity.Terms.in;
import static io.evenkeel.plugins.interpodaffinity.Terms.near;
import static io.evenkeel.plugins.interpodaffinity.Terms.ratherApart;
import static io.evenkeel.plugins.interpodaffinity.Terms.ratherNear;
import static org.assertj.core.api.Assertions.assertThat;

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
class InterPodAffinityScoreTest {
    private final ClusterState cluster = new ClusterState();
    private int podNumber;

    @BeforeEach
    void drawCluster() {
        cluster.putNode(node("a1").label(ZONE, "a").label(HOST, "a1").build());
        cluster.putNode(node("a2").label(ZONE, "a").label(HOST, "a2").build());
        cluster.putNode(node("b1").label(ZONE, "b").label(HOST, "b1").build());
        cluster.putNode(node("bare").build());
    }

    @Test
    void aPodWithoutPreferencesInAClusterWithoutTermsIsNotScoredAtAll() {
        place("a1", labelled("web"));

        assertThat(asked(1, false).scoreIsSkipped(labelled("web").build())).isTrue();
    }

    @Test
    void eachMatchingPodInANodesDomainCountsByTheWeight() {
        place("a1", labelled("db"));
        place("b1", labelled("db"));
        place("b1", labelled("db"));

        assertThat(scores("web", ratherNear(5, app("db", ZONE)))).isEqualTo("{a1=50, a2=50, b1=100, bare=0}");
        assertThat(scores("web", ratherApart(5, app("db", ZONE)))).isEqualTo("{a1=50, a2=50, b1=0, bare=100}");
    }

    /** As the reference, which asks such a selector about a namespace without labels too. */
    @Test
    void aPreferenceWhoseNamespaceSelectorNoLabelsWouldMeetCountsPodsOfAllNamespaces() {
        cluster.put(new Namespace(ObjectMeta.named("", "blue").withLabels(Labels.of("color", "blue"))));
        place("a1", PodBuilder.from(labelled("db").build()).namespace("blue"));
        PodAffinityTerm notBlue = in(
                LabelSelector.of(List.of(new LabelRequirement("color", Operator.NOT_IN, List.of("blue")))),
                app("db", ZONE));

        assertThat(scores("web", ratherNear(5, notBlue))).isEqualTo("{a1=100, a2=100, b1=0, bare=0}");
        assertThat(scores("web", ratherApart(5, notBlue))).isEqualTo("{a1=0, a2=0, b1=100, bare=100}");
    }

    @Test
    void scoresAreCutOffNotRounded() {
        place("a1", labelled("db"));
        place("a1", labelled("db"));
        place("a2", labelled("db"));
        place("b1", labelled("db"));
        place("b1", labelled("db"));
        place("b1", labelled("db"));

        assertThat(scores("web", ratherNear(1, app("db", HOST)))).isEqualTo("{a1=66, a2=33, b1=100, bare=0}");
    }

    @Test
    void onlyFeasibleNodesSetTheScale() {
        place("a1", labelled("db"));
        place("a1", labelled("db"));
        place("a2", labelled("db"));
        Answers answers = asked(1, false);
        Pod web = labelled("web").podAffinity(ratherNear(1, app("db", HOST))).build();

        assertThat(answers.scores(web, answers.nodes(List.of("a2", "b1")))).hasToString("{a2=100, b1=0}");
        assertThat(answers.scores(web, answers.nodes(List.of("a1", "a2")))).hasToString("{a1=100, a2=0}");
    }

    @Test
    void nodesThatAreAllWorthTheSameScoreNothing() {
        place("a1", labelled("db"));
        Answers answers = asked(1, false);
        Pod web = labelled("web").podAffinity(ratherNear(1, app("db", ZONE))).build();

        assertThat(answers.scores(web, answers.nodes(List.of("a1", "a2")))).hasToString("{a1=0, a2=0}");
    }

    @Test
    void theWeightsOfAllKeysOfANodeAddUp() {
        place("a1", labelled("db"));
        place("b1", labelled("web"));
        PodAffinity both = new PodAffinity(
                List.of(),
                ratherNear(10, app("db", ZONE)).preferredAffinity(),
                List.of(),
                ratherApart(6, app("db", HOST)).preferredAntiAffinity());

        assertThat(scores("web", both)).isEqualTo("{a1=40, a2=100, b1=0, bare=0}");
    }

    @Test
    void preferencesOfPodsInPlaceDrawAndRepelThePodsThatTheyMatch() {
        place("a1", labelled("db").podAffinity(ratherNear(3, app("web", HOST))));
        place("b1", labelled("db").podAffinity(ratherApart(3, app("web", HOST))));

        assertThat(scores("web", PodAffinity.NONE)).isEqualTo("{a1=100, a2=50, b1=0, bare=50}");
        assertThat(scores("cache", PodAffinity.NONE)).isEqualTo("{a1=0, a2=0, b1=0, bare=0}");
    }

    @Test
    void requiredAffinityOfPodsInPlaceDrawsByTheHardWeightEvenPodsWithoutAffinity() {
        place("a1", labelled("db").podAffinity(near(app("web", HOST))));
        place("b1", labelled("db").podAffinity(ratherNear(20, app("web", HOST))));
        Pod web = labelled("web").build();

        assertThat(asked(1, false).scores(web)).hasToString("{a1=5, a2=0, b1=100, bare=0}");
        assertThat(asked(100, false).scores(web)).hasToString("{a1=100, a2=0, b1=20, bare=0}");
        assertThat(asked(0, false).scores(web)).hasToString("{a1=0, a2=0, b1=100, bare=0}");
    }

    @Test
    void requiredTermsOfTheNewcomerAndRequiredAntiAffinityOfOthersScoreNothing() {
        place("a1", labelled("db").podAffinity(apart(app("web", HOST))));

        assertThat(asked(1, false)
                        .scoreIsSkipped(labelled("web")
                                .podAffinity(near(app("db", ZONE)))
                                .build()))
                .isTrue();
    }

    @Test
    void existingPodsTermsCanBeIgnoredForPodsWithoutPreferencesOnly() {
        place("a1", labelled("db").podAffinity(ratherNear(8, app("web", HOST))));
        place("a2", labelled("db").podAffinity(near(app("web", HOST))));
        Answers ignoring = asked(1, true);

        assertThat(ignoring.scoreIsSkipped(labelled("web").build())).isTrue();
        assertThat(ignoring.scores(labelled("web")
                        .podAffinity(ratherNear(2, app("db", ZONE)))
                        .build()))
                .hasToString("{a1=100, a2=41, b1=0, bare=0}");
    }

    @Test
    void podsThatAreBeingDeletedCount() {
        place("a1", labelled("db").terminating(true));

        assertThat(scores("web", ratherNear(1, app("db", HOST)))).isEqualTo("{a1=100, a2=0, b1=0, bare=0}");
    }

    private String scores(String app, PodAffinity affinity) {
        Answers answers = asked(1, false);
        Pod pod = labelled(app).podAffinity(affinity).build();
        String scores = answers.scores(pod).toString();
        assertThat(answers.scoresOneByOne(pod, cluster.view().nodes().present().copy()))
                .hasToString(scores);
        return scores;
    }

    private Answers asked(int hardPodAffinityWeight, boolean ignorePreferredTermsOfExistingPods) {
        return new Answers(
                cluster, new InterPodAffinityArgs(hardPodAffinityWeight, ignorePreferredTermsOfExistingPods, false));
    }

    private PodBuilder labelled(String app) {
        return pod("p" + podNumber++).label("app", app);
    }

    private void place(String node, PodBuilder pod) {
        cluster.putPod(pod.nodeName(node).build());
    }
}
