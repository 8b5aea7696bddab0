package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.RoomScene.gang;
import static io.evenkeel.groups.turn.RoomScene.pods;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.groups.turn.GangPreemption.Gang;
import io.evenkeel.groups.turn.GangPreemption.Room;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A gang that would not even fit on empty nodes is told so before anybody is taken away for it. */
class SeatBoundTest {
    /** Two nodes of 4 cpus, full, and one that lets nobody in. */
    private final RoomScene scene = new RoomScene()
            .node("n1", "a", 4, "a:3:2", "b:1:2")
            .node("n2", "a", 4, "c:2:4")
            .put(NodeBuilder.node("n3")
                    .hostname("n3")
                    .allocatable("cpu", "64", "pods", "110")
                    .unschedulable(true)
                    .build());

    private void isRefused(Gang gang, int ceiling) {
        String why = "even without all other pods there is room for no more than " + ceiling + " of the "
                + gang.needed() + " that are needed";
        assertThat(scene.look(gang)).isEqualTo(new Room.None(why, true, 0));
    }

    @Test
    void nodesThatLetItInHaveRoomForSoMany() {
        isRefused(gang(pods(5, "2")), 4);
        isRefused(gang(pods(3, "3")), 2);
        assertThat(scene.victims(gang(pods(4, "2")))).isEqualTo("a c b");
    }

    @Test
    void onePodThatIsTooLargeForAnyNode() {
        List<Pod> mixed = new ArrayList<>(pods(3, "1"));
        mixed.add(PodBuilder.pod("huge").priority(9).container("cpu", "5").build());
        isRefused(gang(mixed), 3);
        assertThat(scene.look(gang(mixed, 3))).isInstanceOf(Room.Made.class);
    }

    @Test
    void podsOfSeveralKindsShareTheNodes() {
        List<Pod> mixed = new ArrayList<>(pods(4, "2"));
        mixed.add(PodBuilder.pod("other").priority(9).container("cpu", "3").build());
        isRefused(gang(mixed), 4);
    }

    @Test
    void companionsThatAreStillToComeCount() {
        PodAffinityTerm near = new PodAffinityTerm(
                LabelSelector.matchingLabels(Labels.of("app", "lead")),
                RoomScene.ZONE,
                List.of("default"),
                LabelSelector.NOTHING);
        PodAffinity affinity = new PodAffinity(List.of(near), List.of(), List.of(), List.of());
        List<Pod> mixed =
                new ArrayList<>(pods(1, pod -> pod.container("cpu", "2").podAffinity(affinity)));
        mixed.add(PodBuilder.pod("lead")
                .label("app", "lead")
                .priority(9)
                .container("cpu", "2")
                .build());
        assertThat(scene.look(gang(mixed))).isInstanceOf(Room.Made.class);
    }

    @Test
    void whoAsksForNothingHasRoomWithTheOthers() {
        List<Pod> mixed = new ArrayList<>(pods(4, "2"));
        mixed.add(PodBuilder.pod("launcher").priority(9).build());
        assertThat(scene.victims(gang(mixed))).isEqualTo("a c b");
        mixed.add(pods(5, "2").getLast());
        isRefused(gang(mixed), 5);
    }

    @Test
    void whereNothingCountsWhatNodesOfferOnlyNodesThatLetNobodyInBound() {
        RoomScene anywhere = new RoomScene(without("NodeResourcesFit")).node("n1", "a", 4, "a:3:2");
        assertThat(anywhere.victims(gang(pods(9, "2")))).isEmpty();

        RoomScene closed = new RoomScene(without("NodeResourcesFit"))
                .put(NodeBuilder.node("n1").hostname("n1").unschedulable(true).build());
        assertThat(closed.look(gang(pods(2, "2"))))
                .isEqualTo(new Room.None(
                        "even without all other pods there is room for no more than 0 of the 2 that are needed",
                        true,
                        0));
    }

    private static SchedulerConfiguration without(String plugin) {
        return SchedulerConfiguration.defaults().toBuilder()
                .profiles(List.of(Profile.completed(
                        Profile.DEFAULT_SCHEDULER_NAME,
                        OptionalInt.empty(),
                        Plugins.NONE.with(ExtensionPoint.MULTI_POINT, new PluginSet(List.of(), List.of(plugin))),
                        Map.of())))
                .build();
    }
}
