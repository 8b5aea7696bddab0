package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Gangs that are declared by a PodGroup, and what is written about them. */
class PodGroupTest {
    private static final String RACK = "rack";

    private final LiveScene scene = new LiveScene(1, "GangScheduling", "{}");

    private static PodGroup group(OptionalInt minCount, Optional<String> topologyKey) {
        return new PodGroup(
                ObjectMeta.named("default", "train"), minCount, topologyKey, PodGroup.DISRUPTED_BY_POD, List.of());
    }

    private static Pod worker(int number) {
        return PodBuilder.pod("w-" + number)
                .uid("w-" + number + "-uid")
                .podGroup("train")
                .build();
    }

    private void putWorkers(int count) {
        for (int i = 0; i < count; i++) {
            scene.put(worker(i));
        }
        scene.schedule();
    }

    @Test
    void podsWaitForTheirGroupToAppearAndThenForEachOther() {
        scene.with(List.of(node("n0", 9)));
        putWorkers(2);
        scene.pass(2);
        assertThat(scene.places).isEmpty();

        scene.put(group(OptionalInt.of(3), Optional.empty()));
        scene.pass(2);
        assertThat(scene.places).as("a third is needed").isEmpty();

        scene.put(worker(2));
        scene.schedule();
        assertThat(scene.places).hasSize(3);
        assertThat(scene.groupConditions()).extracting(GroupCondition::status).containsExactly("True");
    }

    @Test
    void aLowerMinimumLetsThemGo() {
        scene.with(List.of(node("n0", 9)));
        scene.put(group(OptionalInt.of(3), Optional.empty()));
        putWorkers(2);
        assertThat(scene.places).isEmpty();
        scene.put(group(OptionalInt.of(2), Optional.empty()));
        scene.pass(2);
        assertThat(scene.places).hasSize(2);
    }

    @Test
    void oneWithAGateOfItsOwnDoesNotKeepTheOthers() {
        scene.with(List.of(node("n0", 9)));
        scene.put(group(OptionalInt.of(3), Optional.empty()));
        scene.put(PodBuilder.from(worker(0)).schedulingGate("example.com/wait").build());
        for (int i = 1; i <= 3; i++) {
            scene.put(worker(i));
        }
        scene.pass(12);
        assertThat(scene.places.keySet()).containsExactlyInAnyOrder("w-1", "w-2", "w-3");
    }

    @Test
    void nobodyIsPlacedWhoseGroupHasGone() {
        scene.with(List.of(node("n0", 2)));
        scene.put(group(OptionalInt.of(3), Optional.empty()));
        putWorkers(3);
        scene.pass(12);

        scene.put(node("n1", 1).build());
        scene.remove(group(OptionalInt.of(3), Optional.empty()));
        scene.pass(600);
        assertThat(scene.places).isEmpty();
        assertThat(scene.conditions())
                .hasSize(3)
                .allSatisfy((_, message) -> assertThat(message)
                        .isEqualTo("waiting for pod's pod group \"train\" to appear in scheduling queue"));

        scene.put(group(OptionalInt.of(3), Optional.empty()));
        scene.pass(12);
        assertThat(scene.places).hasSize(3);
    }

    @Test
    void itsConditionSaysWhyItWaits() {
        scene.with(List.of(node("n0", 2)));
        scene.put(group(OptionalInt.of(3), Optional.empty()));
        putWorkers(3);
        assertThat(scene.places).isEmpty();
        assertThat(scene.groupConditions()).singleElement().satisfies(condition -> {
            assertThat(condition.type()).isEqualTo(GroupCondition.INITIALLY_SCHEDULED);
            assertThat(condition.status()).isEqualTo("False");
            assertThat(condition.reason()).isEqualTo("Unschedulable");
            assertThat(condition.message()).isNotEmpty();
        });
    }

    @Test
    void whereFewerAreNeededThanThereAreTheOthersAreLeftOver() {
        scene.with(List.of(node("n0", 2)));
        scene.put(group(OptionalInt.of(2), Optional.empty()));
        putWorkers(3);
        assertThat(scene.places).hasSize(2);
        assertThat(scene.conditions().values()).singleElement().asString().startsWith("0/1 nodes are available");
    }

    @Test
    void allOfItAreInOneDomain() {
        scene.with(List.of(
                node("a0", 2).label(RACK, "a"),
                node("b0", 2).label(RACK, "b"),
                node("b1", 1).label(RACK, "b"),
                node("none", 9)));
        scene.put(group(OptionalInt.of(3), Optional.of(RACK)));
        putWorkers(3);
        assertThat(domains()).containsExactly("b");

        scene.put(node("b2", 1).label(RACK, "b").build());
        scene.put(worker(3));
        scene.schedule();
        assertThat(scene.places).as("the domain of those in place is fixed").containsEntry("w-3", "b2");
    }

    @Test
    void whoIsLeftOverOfADomainWaitsAndGoesToNoOther() {
        scene.with(List.of(node("b0", 2).label(RACK, "b"), node("a0", 1).label(RACK, "a"), node("none", 9)));
        scene.put(group(OptionalInt.of(2), Optional.of(RACK)));
        putWorkers(3);
        assertThat(domains()).containsExactly("b");
        assertThat(scene.conditions().values())
                .singleElement()
                .asString()
                .startsWith("pod group default/train waits: ");
    }

    @Test
    void aPodThatGetsTheLabelOfAnotherGroupIsOfThatOne() {
        LiveScene other = new LiveScene(1, "Coscheduling", "{}").with(List.of(node("n0", 2)));
        other.put(new CoschedulingPodGroup(ObjectMeta.named("default", "train"), 1));
        PodBuilder pod = PodBuilder.pod("w-0").uid("w-0-uid");
        other.put(pod.label(CoschedulingPodGroup.LABEL, "trian").build());
        other.pass(12);
        assertThat(other.places).isEmpty();

        other.put(pod.label(CoschedulingPodGroup.LABEL, "train").build());
        other.pass(12);
        assertThat(other.places).hasSize(1);
    }

    private Set<String> domains() {
        return scene.places.values().stream().map(name -> name.substring(0, 1)).collect(Collectors.toSet());
    }

    @Test
    void ofTheBasicPolicyEachIsPlacedByItself() {
        scene.with(List.of(node("n0", 2)));
        scene.put(group(OptionalInt.empty(), Optional.empty()));
        putWorkers(3);
        assertThat(scene.places).hasSize(2);
        assertThat(scene.findings).isEmpty();
    }

    @Test
    void anAnnotationThatMeansNothingHoldsItsPodsBack() {
        scene.with(List.of(node("n0", 2)));
        ObjectMeta odd =
                ObjectMeta.named("default", "train").withAnnotations(Labels.of(Annotations.GROUP_PLACEMENT, "at-once"));
        scene.put(new PodGroup(odd, OptionalInt.of(1), Optional.empty(), PodGroup.DISRUPTED_BY_POD, List.of()));
        putWorkers(1);
        assertThat(scene.places).isEmpty();
    }

    @Test
    void thoseOfTheCoschedulingPluginAreKnownByALabel() {
        LiveScene other = new LiveScene(1, "Coscheduling", "{}").with(List.of(node("n0", 2)));
        other.put(new CoschedulingPodGroup(ObjectMeta.named("default", "train"), 3));
        for (int i = 0; i < 3; i++) {
            other.put(PodBuilder.pod("w-" + i)
                    .uid("w-" + i + "-uid")
                    .label(CoschedulingPodGroup.LABEL, "train")
                    .build());
        }
        other.schedule();
        assertThat(other.places).isEmpty();
        other.put(node("n1", 1).build());
        other.pass(12);
        assertThat(other.places).hasSize(3);
    }
}
