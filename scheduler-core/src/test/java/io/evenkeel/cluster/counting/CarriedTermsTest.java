package io.evenkeel.cluster.counting;

import static io.evenkeel.cluster.ClusterDrawing.ZONES;
import static io.evenkeel.cluster.ClusterDrawing.app;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static io.evenkeel.cluster.ClusterDrawing.draw;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinity.WeightedPodAffinityTerm;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelRequirement.Operator;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CarriedTermsTest {
    private static final PodAffinityTerm NEAR_WEB = near("web", LabelSelector.NOTHING);

    private final ClusterState cluster = cluster("a: n1[] n2[]", "b: n3[]");

    private static PodAffinityTerm near(String app, LabelSelector namespaces) {
        return new PodAffinityTerm(
                LabelSelector.matchingLabels(Labels.of("app", app)), ZONES.label(), List.of(), namespaces);
    }

    private static PodAffinity repelling(PodAffinityTerm... terms) {
        return new PodAffinity(List.of(), List.of(), List.of(terms), List.of());
    }

    private static PodAffinity drawnAndRepelled(int drawn, int repelled) {
        return new PodAffinity(
                List.of(),
                List.of(new WeightedPodAffinityTerm(drawn, NEAR_WEB)),
                List.of(),
                List.of(new WeightedPodAffinityTerm(repelled, NEAR_WEB)));
    }

    private void place(String name, String node, PodAffinity affinity) {
        cluster.put(app(name, "db").podAffinity(affinity).nodeName(node).build());
    }

    private List<CarriedTerm> met(Pod newcomer) {
        return cluster.view().carriedTerms().matching(newcomer.namespace(), newcomer.labels());
    }

    @Test
    void aNewcomerMeetsTheTermsThatMatchIt() {
        place("p1", "n1", repelling(NEAR_WEB));
        place("p2", "n3", repelling(NEAR_WEB));

        assertThat(met(app("new", "web").build())).singleElement().satisfies(term -> {
            assertThat(term.kind()).isEqualTo(CarriedTerm.Kind.REQUIRED_ANTI_AFFINITY);
            assertThat(draw(term.counter())).isEqualTo("a=1 b=1");
        });
        assertThat(met(app("new", "other").build())).isEmpty();
        assertThat(met(app("new", "web").namespace("elsewhere").build())).isEmpty();
    }

    @Test
    void aTermGoesWithTheLastPodThatCarriesIt() {
        place("p1", "n1", repelling(NEAR_WEB));
        place("p2", "n1", repelling(NEAR_WEB));
        cluster.removePod("default/p1");
        assertThat(met(app("new", "web").build())).hasSize(1);

        cluster.removePod("default/p2");
        assertThat(cluster.view().carriedTerms().isEmpty()).isTrue();
        assertThat(met(app("new", "web").build())).isEmpty();
        assertThat(cluster.view().counters().all()).isEmpty();
    }

    @Test
    void aTermThatAPodHasTwiceCountsTwice() {
        place("p1", "n1", repelling(NEAR_WEB, NEAR_WEB));

        assertThat(met(app("new", "web").build()))
                .singleElement()
                .satisfies(term -> assertThat(draw(term.counter())).isEqualTo("a=2 b=0"));
        cluster.removePod("default/p1");
        assertThat(cluster.view().carriedTerms().isEmpty()).isTrue();
    }

    /** All but one of which keep nobody out of another node than that one does. */
    @Test
    void ofThousandsOfTermsThatTheSamePodsCarryOneIsMet() {
        place("p1", "n1", repelling(allBut("a", 0, 400)));
        place("p2", "n1", repelling(allBut("a", 0, 400)));
        place("p3", "n3", repelling(allBut("b", 0, 400)));
        Pod newcomer = app("new", "web").build();

        assertThat(met(newcomer))
                .extracting(term -> draw(term.counter()))
                .containsExactlyInAnyOrder("a=2 b=0", "a=0 b=1");
        cluster.removePod("default/p1");
        cluster.removePod("default/p3");
        assertThat(met(newcomer)).extracting(term -> draw(term.counter())).containsExactly("a=1 b=0");
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void aTermThatWasLeftOutIsMetWhereOtherPodsCarryItAlone() {
        place("p1", "n1", repelling(allBut("a", 0, 400)));
        Pod newcomer = app("new", "web").build();
        cluster.put(app("twin", "web").nodeName("n2").build()); // what it meets is remembered
        assertThat(met(newcomer)).hasSize(1);
        for (int term = 0; term < 400; term++) {
            place("p2", "n3", repelling(allBut("a", term, term + 1)));
            assertThat(met(newcomer).stream()
                            .anyMatch(met -> draw(met.counter()).endsWith("b=1")))
                    .as("term %d", term)
                    .isTrue();
            assertThat(met(newcomer)).hasSizeBetween(1, 2);
            cluster.removePod("default/p2");
        }
    }

    /** Each matches any app but one of its own. */
    private static PodAffinityTerm[] allBut(String whose, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(term -> new PodAffinityTerm(
                        LabelSelector.of(
                                List.of(new LabelRequirement("app", Operator.NOT_IN, List.of(whose + "-" + term)))),
                        ZONES.label(),
                        List.of(),
                        LabelSelector.NOTHING))
                .toArray(PodAffinityTerm[]::new);
    }

    @Test
    void weightsAddUpAndThoseOfAntiAffinityCountAgainst() {
        place("p1", "n1", drawnAndRepelled(10, 3));
        place("p2", "n3", drawnAndRepelled(1, 5));

        assertThat(met(app("new", "web").build()))
                .singleElement()
                .satisfies(term -> assertThat(draw(term.counter())).isEqualTo("a=7 b=-4"));
    }

    @Test
    void whatANewcomerMeetsFollowsTheLabelsOfItsNamespace() {
        LabelSelector production = LabelSelector.matchingLabels(Labels.of("env", "prod"));
        place("p1", "n1", repelling(near("web", production)));
        cluster.put(app("twin", "web").nodeName("n2").build());
        Pod newcomer = app("new", "web").build();
        assertThat(met(newcomer)).isEmpty();

        cluster.put(new Namespace(ObjectMeta.named("", "default").withLabels(Labels.of("env", "prod"))));
        assertThat(met(newcomer)).hasSize(1);
        cluster.remove(new Namespace(ObjectMeta.named("", "default")));
        assertThat(met(newcomer)).isEmpty();
    }

    @Test
    void theEmptyNamespaceSelectorMeansAll() {
        place("p1", "n1", repelling(near("web", LabelSelector.EVERYTHING)));

        assertThat(met(PodBuilder.pod("never-heard-of", "new")
                        .label("app", "web")
                        .build()))
                .hasSize(1);
    }

    /** Whose label nobody has makes nobody be told apart anew, however often it comes and goes. */
    @Test
    void termsOfNewLabelsCostNothingForPodsThatHaveNone() {
        for (int i = 0; i < 1_000; i++) {
            cluster.put(app("web-" + i, "web").nodeName("n1").build());
        }
        long before = keptWork();
        for (int i = 0; i < 100; i++) {
            place("strange-" + i, "n2", repelling(strange(10 * i, 10)));
            cluster.removePod("default/strange-" + i);
        }

        assertThat(keptWork() - before).isLessThan(10_000);
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    /** Those that have it are told apart, and found where others have left and come since. */
    @Test
    void podsThatHaveANewLabelAreToldApart() {
        for (int i = 0; i < 100; i++) {
            cluster.put(
                    app("web-" + i, "web").label("strange-0", "").nodeName("n1").build());
        }
        for (int i = 0; i < 60; i++) {
            cluster.removePod("default/web-" + i);
            cluster.put(app("new-" + i, "web").nodeName("n1").build());
        }
        place("strange", "n2", repelling(strange(0, 1)));
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        cluster.removePod("default/strange");
        place("stranger", "n2", repelling(strange(1, 20)));
        cluster.removePod("default/stranger");
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    private long keptWork() {
        return cluster.view().work().units() - cluster.view().work().unitsEachTime();
    }

    /** Terms for whoever lacks some label, each another: they could match anybody. */
    private static PodAffinityTerm[] strange(int first, int terms) {
        return IntStream.range(first, first + terms)
                .mapToObj(i -> new PodAffinityTerm(
                        LabelSelector.of(
                                List.of(new LabelRequirement("strange-" + i, Operator.DOES_NOT_EXIST, List.of()))),
                        ZONES.label(),
                        List.of(),
                        LabelSelector.NOTHING))
                .toArray(PodAffinityTerm[]::new);
    }
}
