package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.grid;
import static io.evenkeel.groups.turn.LiveScene.node;
import static io.evenkeel.groups.turn.LiveScene.podOf;
import static io.evenkeel.groups.turn.LiveScene.replicaSet;
import static io.evenkeel.groups.turn.LiveScene.spread;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.group.GroupObserver.Finding;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.rotation.Rotated;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Pods of one owner go where all of them find a place, although they come one by one. */
class LookAheadTest {
    private static Pod webOnGrid(int number) {
        return podOf("web", number)
                .spread(spread(1, "rack"))
                .spread(spread(1, "row"))
                .build();
    }

    @Rotated(5)
    @RepeatedTest(20)
    void eightPodsThatComeOneByOneAllFindAPlaceOnEightNodes(RepetitionInfo seed) {
        List<NodeBuilder> nodes = grid(3, 3);
        nodes.removeLast();
        LiveScene scene = LiveScene.lookingAhead(seed.getCurrentRepetition()).with(nodes);
        scene.put(replicaSet("web", 8));
        for (int i = 0; i < 8; i++) {
            scene.put(webOnGrid(i));
            scene.schedule();
        }
        assertThat(scene.places).hasSize(8);
        assertThat(scene.findings).as("one plan for all").containsExactly(Finding.PLACED);
    }

    @Rotated(5)
    @RepeatedTest(20)
    void soDoNineThatWaitTogetherWhoseOwnerIsNotKnown(RepetitionInfo seed) {
        LiveScene scene = LiveScene.lookingAhead(seed.getCurrentRepetition()).with(grid(3, 3));
        for (int i = 0; i < 9; i++) {
            scene.put(webOnGrid(i));
        }
        scene.schedule();
        assertThat(scene.places).hasSize(9);
    }

    @Test
    void aPlanIsMadeAnewWhereTheClusterHasBecomeAnother() {
        List<NodeBuilder> nodes = grid(3, 3);
        LiveScene scene = LiveScene.lookingAhead(1).with(nodes);
        scene.put(replicaSet("web", 8));
        scene.put(webOnGrid(0));
        scene.schedule();
        String first = scene.places.get("web-0");
        NodeBuilder lost = nodes.stream()
                .filter(node -> !node.build().name().equals(first))
                .reduce((one, other) -> other)
                .orElseThrow();
        scene.remove(lost.build());
        for (int i = 1; i < 8; i++) {
            scene.put(webOnGrid(i));
            scene.schedule();
        }
        assertThat(scene.places).hasSize(8);
    }

    @Test
    void whoIsLeftOverIsToldWhyThereIsNoPlaceForAll() {
        LiveScene scene = LiveScene.lookingAhead(1)
                .with(List.of(
                        node("a1", 9).label(LiveScene.ZONE, "a"),
                        node("a2", 9).label(LiveScene.ZONE, "a"),
                        node("b1", 9).label(LiveScene.ZONE, "b")));
        scene.put(replicaSet("web", 6));
        for (int i = 0; i < 6; i++) {
            scene.put(podOf("web", i)
                    .spread(spread(1, LiveScene.ZONE))
                    .spread(spread(1, LiveScene.HOST))
                    .build());
        }
        scene.schedule();
        assertThat(scene.places).hasSize(5);
        assertThat(scene.conditions().values())
                .singleElement()
                .asString()
                .contains("ReplicaSet default/web: zones a and b take 5, 6 are asked for: maxSkew 1 over zones")
                .contains("5 would do, or 7 at once");
    }

    @Test
    void soIsOneThatComesLongAfterTheOthers() {
        LiveScene scene = LiveScene.lookingAhead(1)
                .with(List.of(
                        node("a1", 9).label(LiveScene.ZONE, "a"),
                        node("a2", 9).label(LiveScene.ZONE, "a"),
                        node("b1", 9).label(LiveScene.ZONE, "b")));
        scene.put(replicaSet("web", 6));
        for (int i = 0; i < 6; i++) {
            scene.put(podOf("web", i)
                    .spread(spread(1, LiveScene.ZONE))
                    .spread(spread(1, LiveScene.HOST))
                    .build());
            scene.pass(10);
        }
        assertThat(scene.places).hasSize(5);
        assertThat(scene.conditions().values())
                .singleElement()
                .asString()
                .contains("ReplicaSet default/web: zones a and b take 5, 6 are asked for");
    }

    @Test
    void podsWithoutTwoRulesAreNotPlanned() {
        LiveScene scene = LiveScene.lookingAhead(1).with(grid(3, 3));
        scene.put(replicaSet("web", 3));
        for (int i = 0; i < 3; i++) {
            scene.put(podOf("web", i).spread(spread(1, "rack")).build());
        }
        scene.schedule();
        assertThat(scene.places).hasSize(3);
        assertThat(scene.findings).isEmpty();
    }
}
