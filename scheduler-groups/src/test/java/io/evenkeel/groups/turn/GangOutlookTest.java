package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.node;
import static io.evenkeel.groups.turn.LiveScene.podOf;
import static io.evenkeel.groups.turn.LiveScene.replicaSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.group.GangQuestions;
import io.evenkeel.engine.group.GangQuestions.GangOutlook;
import io.evenkeel.engine.group.GangQuestions.Roll;
import io.evenkeel.engine.group.GroupObserver.GangResult;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What those who ask why are told of a gang is what its turn does, and asking changes nothing. */
class GangOutlookTest {
    private static final String TWO_PROFILES = """
        profiles:
        - schedulerName: default-scheduler
          plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}
        - schedulerName: other
          plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}
        """;

    private static final String WITH_EXTENDER = """
        extenders: [{urlPrefix: "http://extender", filterVerb: filter}]
        profiles:
        - plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}
        """;

    private static LiveScene scene(NodeBuilder... nodes) {
        return LiveScene.of("GangScheduling", List.of(nodes));
    }

    private static void needs(LiveScene scene, int minimum, Optional<String> topologyKey) {
        scene.put(new PodGroup(
                ObjectMeta.named("default", "train"),
                OptionalInt.of(minimum),
                topologyKey,
                PodGroup.DISRUPTED_BY_POD,
                List.of()));
    }

    private static void needs(LiveScene scene, int minimum) {
        needs(scene, minimum, Optional.empty());
    }

    private static PodBuilder member(int number) {
        return PodBuilder.pod("w-" + number)
                .uid("w-" + number)
                .podGroup("train")
                .priority(9);
    }

    private static GangQuestions ask(LiveScene scene) {
        return scene.scheduler.engine().gangs();
    }

    private static GangOutlook outlook(LiveScene scene, String pod) {
        return ask(scene).about(scene.pod(pod)).orElseThrow();
    }

    @Test
    void tellsTheNodesOfAllThatFit() {
        LiveScene scene = scene(node("n0", 2));
        needs(scene, 2);
        scene.put(member(10).build());
        scene.put(member(2).build());
        GangOutlook outlook = outlook(scene, "w-2");
        assertThat(outlook.inPlace()).isZero();
        assertThat(outlook.pods())
                .as("lower numbers first")
                .extracting(Pod::name)
                .containsExactly("w-2", "w-10");
        assertThat(outlook.waits()).isEmpty();
        assertThat(outlook.seats()).extracting(Seat::node).containsExactly("n0", "n0");
        assertThat(outlook.nodeOf(scene.pod("w-10"))).hasValue("n0");
        assertThat(outlook.rest()).isEmpty();
        assertThat(scene.places).isEmpty();
        assertThat(scene.gangsLookedInto).as("asking is no turn").isZero();

        scene.schedule();
        assertThat(scene.places).hasSize(2);
    }

    @Test
    void ofMoreThanThereIsRoomForTheMoreImportantGoAsInItsTurn() {
        LiveScene scene = scene(node("n0", 2));
        needs(scene, 2);
        scene.put(member(0).build());
        scene.put(member(3).priority(10).build());
        scene.put(member(1).build());
        GangOutlook outlook = outlook(scene, "w-0");
        assertThat(outlook.pods()).extracting(Pod::name).containsExactly("w-3", "w-0", "w-1");
        assertThat(outlook.seats()).extracting(seat -> seat.pod().name()).containsExactlyInAnyOrder("w-3", "w-0");
        assertThat(outlook.nodeOf(scene.pod("w-1"))).isEmpty();
        assertThat(outlook.rest()).isNotEmpty();
        assertThat(outlook.waitsBesideOthers()).as("it may go anywhere").isEmpty();

        scene.schedule();
        assertThat(scene.places).containsOnlyKeys("w-3", "w-0");
    }

    @Test
    void whoIsLeftOverOfADomainIsToldSo() {
        LiveScene scene = scene(node("a0", 2).label("rack", "a"), node("b0", 1).label("rack", "b"));
        needs(scene, 2, Optional.of("rack"));
        for (int i = 0; i < 3; i++) {
            scene.put(member(i).build());
        }
        GangOutlook outlook = outlook(scene, "w-2");
        assertThat(outlook.seats()).extracting(Seat::node).containsExactly("a0", "a0");
        scene.schedule();
        assertThat(outlook.waitsBesideOthers()).hasValue(scene.conditions().get("w-2"));
    }

    @Test
    void tellsWhyItWaitsInTheWordsOfItsTurnAndWhoWouldFit() {
        LiveScene scene = scene(node("n0", 2));
        needs(scene, 3);
        for (int i = 0; i < 3; i++) {
            scene.put(member(i).build());
        }
        GangOutlook outlook = outlook(scene, "w-1");
        assertThat(outlook.seats()).hasSize(2);
        assertThat(outlook.nodeOf(scene.pod("w-0"))).as("none of it is placed").isEmpty();
        scene.schedule();
        assertThat(outlook.waits()).hasValue(scene.conditions().get("w-1"));
        assertThat(outlook(scene, "w-1").waits()).as("and after that").isEqualTo(outlook.waits());
    }

    @Test
    void tellsThatOthersWouldGoForItAndAsksNoneOfThemTo() {
        LiveScene scene = scene(node("n0", 1), node("n1", 1));
        scene.put(PodBuilder.pod("low").uid("low").priority(1).nodeName("n0").build());
        needs(scene, 2);
        scene.put(member(0).build());
        scene.put(member(1).build());
        GangOutlook outlook = outlook(scene, "w-0");
        assertThat(outlook.seats()).isEmpty();
        assertThat(scene.evicted).isEmpty();
        scene.schedule();
        assertThat(scene.evicted).containsExactly("low");
        assertThat(outlook.waits())
                .hasValue(scene.conditions().get("w-0"))
                .get()
                .asString()
                .endsWith("; pod group is waiting for preemption to complete");
    }

    @Test
    void thoseInPlaceCountAndThoseThatAGateHoldsDoNot() {
        LiveScene scene = scene(node("n0", 9));
        needs(scene, 3);
        scene.put(member(0).nodeName("n0").build());
        scene.put(member(1).build());
        scene.put(member(2).schedulingGate("example.com/wait").build());
        GangOutlook outlook = outlook(scene, "w-1");
        assertThat(outlook.inPlace()).isOne();
        assertThat(outlook.pods()).extracting(Pod::name).containsExactly("w-1");
        assertThat(outlook.waits())
                .hasValue("pod group default/train waits: minCount (3) cannot be satisfied: 1 scheduled, 1 remaining");
    }

    @Test
    void onePodThatIsNotThereMayBeAskedAboutAndOthersAsIfTheyWereDifferent() {
        LiveScene scene = scene(node("n0", 9));
        needs(scene, 2);
        scene.put(member(0).build());
        scene.put(member(1).build());
        GangOutlook outlook = ask(scene)
                .about(
                        member(5).build(),
                        other -> PodBuilder.from(other)
                                .nodeSelector("disk", "ssd")
                                .build())
                .orElseThrow();
        assertThat(outlook.pods()).extracting(Pod::name).containsExactly("w-0", "w-1", "w-5");
        assertThat(outlook.waits()).isPresent();
        assertThat(outlook.seats()).extracting(seat -> seat.pod().name()).containsExactly("w-5");
    }

    @Test
    void theRollOfAGangCountsAllThatAreThere() {
        LiveScene scene = scene(node("n0", 9));
        assertThat(ask(scene).rollOf(member(0).build())).as("there is no group").isEmpty();
        needs(scene, 3);
        scene.put(member(0).nodeName("n0").build());
        scene.put(member(1).build());
        Roll roll = ask(scene).rollOf(scene.pod("w-1")).orElseThrow();
        assertThat(roll.known()).isEqualTo(2);
        assertThat(roll.membership().terms().minimum()).isEqualTo(3);
        assertThat(ask(scene).about(PodBuilder.pod("single").build())).isEmpty();
    }

    @Test
    void aGroupThatIsOnlyLookedAheadForIsNoGang() {
        LiveScene scene = LiveScene.lookingAhead(1).with(List.of(node("n0", 9)));
        scene.put(replicaSet("web", 2));
        scene.put(podOf("web", 0).build());
        assertThat(ask(scene).about(scene.pod("web-0"))).isEmpty();
        assertThat(ask(scene).rollOf(scene.pod("web-0"))).isEmpty();
    }

    @Test
    void podsOfSeveralProfilesAreNotPlacedTogetherAndItIsSaidWhy() {
        LiveScene scene = LiveScene.configured(TWO_PROFILES).with(List.of(node("n0", 9)));
        needs(scene, 2);
        scene.put(member(0).build());
        scene.put(member(1).schedulerName("other").build());
        String why = "all pods in a single pod group should have the same .spec.schedulerName set, got: "
                + "\"default-scheduler\" and \"other\"";
        isRefused(scene, why);
    }

    @Test
    void podsInWhichExtendersHaveASayAreNotPlacedTogether() {
        LiveScene scene = LiveScene.configured(WITH_EXTENDER).with(List.of(node("n0", 9)));
        needs(scene, 2);
        scene.put(member(0).build());
        scene.put(member(1).build());
        isRefused(
                scene,
                "extenders have a say in pod default/w-0, and pods in which they have cannot be placed together");
    }

    private static void isRefused(LiveScene scene, String why) {
        assertThat(outlook(scene, "w-0").waits()).hasValue(why);
        scene.schedule();
        assertThat(scene.places).isEmpty();
        assertThat(scene.gangs).containsExactly(GangResult.ERROR);
        assertThat(scene.conditions())
                .hasSize(2)
                .allSatisfy((_, message) -> assertThat(message).isEqualTo(why));
        assertThat(scene.groupConditions()).singleElement().satisfies(condition -> {
            assertThat(condition.reason()).isEqualTo("SchedulerError");
            assertThat(condition.message()).isEqualTo(why);
        });
    }
}
