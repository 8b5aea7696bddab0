package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.node;
import static io.evenkeel.groups.turn.LiveScene.podOf;
import static io.evenkeel.groups.turn.LiveScene.replicaSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Pods of gangs that may not be tried, and what becomes of others meanwhile. */
class GatedGangTest {
    private static final PodGroup TRAIN = new PodGroup(
            ObjectMeta.named("default", "train"),
            OptionalInt.of(2),
            Optional.empty(),
            PodGroup.DISRUPTED_BY_POD,
            List.of());

    /** Two nodes, each full with a pod that goes for the gang; the first is gone already, the other is on its way out. */
    private static LiveScene clearedForAGang() {
        LiveScene scene = LiveScene.of("GangScheduling", List.of(node("n0", 1), node("n1", 1)));
        for (int i = 0; i < 2; i++) {
            scene.put(PodBuilder.pod("low-" + i)
                    .uid("low-" + i)
                    .priority(-1)
                    .nodeName("n" + i)
                    .build());
        }
        scene.put(TRAIN);
        for (int i = 0; i < 2; i++) {
            scene.put(PodBuilder.pod("w-" + i)
                    .uid("w-" + i)
                    .priority(9)
                    .podGroup("train")
                    .build());
        }
        scene.schedule();
        assertThat(scene.evicted).containsExactlyInAnyOrder("low-0", "low-1");
        scene.remove(scene.pod("low-0"));
        return scene;
    }

    private static Pod single(String name) {
        return PodBuilder.pod(name).uid(name).build();
    }

    @Test
    void whoseGroupIsGoneKeepNoRoom() {
        LiveScene scene = clearedForAGang();
        scene.put(single("early"));
        scene.pass(12);
        assertThat(scene.places).as("the room is kept for the gang").isEmpty();

        scene.remove(TRAIN);
        scene.pass(12);
        assertThat(scene.places).as("who was kept out is woken").containsOnlyKeys("early");

        scene.remove(scene.pod("low-1"));
        scene.put(single("late"));
        scene.pass(12);
        assertThat(scene.places).containsOnlyKeys("early", "late");
    }

    @Test
    void whoComesBackWithTheGroupIsPlaced() {
        LiveScene scene = clearedForAGang();
        scene.remove(TRAIN);
        scene.pass(12);
        scene.remove(scene.pod("low-1"));
        scene.put(TRAIN);
        scene.pass(30);
        assertThat(scene.places).containsOnlyKeys("w-0", "w-1");
    }

    @Test
    void oneWithAnAnnotationThatMeansNothingDoesNotKeepTheOthers() {
        LiveScene scene = LiveScene.of("GroupPlacement", List.of(node("n0", 9)));
        scene.put(replicaSet("web", 5));
        for (int i = 0; i < 7; i++) {
            scene.put(podOf("web", i)
                    .annotation(Annotations.GROUP_PLACEMENT, i < 2 ? "gnag" : "gang")
                    .build());
        }
        scene.pass(12);
        assertThat(scene.places.keySet()).containsExactlyInAnyOrder("web-2", "web-3", "web-4", "web-5", "web-6");
    }
}
