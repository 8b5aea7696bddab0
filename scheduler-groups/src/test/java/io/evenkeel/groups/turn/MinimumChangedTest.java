package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gang in place needs another number of pods than it did. */
class MinimumChangedTest {
    private final LiveScene scene = LiveScene.of("GangScheduling", List.of(node("n0", 9)));

    private void needs(OptionalInt minimum) {
        scene.put(new PodGroup(
                ObjectMeta.named("default", "train"), minimum, Optional.empty(), PodGroup.DISRUPTED_BY_POD, List.of()));
        scene.pass(1);
    }

    @BeforeEach
    void threeAreInPlace() {
        needs(OptionalInt.of(3));
        for (int i = 0; i < 3; i++) {
            scene.put(PodBuilder.pod("w-" + i).uid("w-" + i).podGroup("train").build());
        }
        scene.schedule();
        assertThat(scene.places).hasSize(3);
    }

    @Test
    void moreThanAreInPlaceLeaveItDegradedAndFewerRecovered() {
        needs(OptionalInt.of(5));
        assertThat(scene.toldOf).containsExactly("pod group default/train: 3 of 5");
        needs(OptionalInt.of(2));
        assertThat(scene.toldOf).containsExactly("pod group default/train: 3 of 5", "pod group default/train: 3");
    }

    @Test
    void onesThatAreNoGangAnyMoreMissNobody() {
        needs(OptionalInt.of(5));
        needs(OptionalInt.empty());
        assertThat(scene.degraded).endsWith(0);
        assertThat(scene.toldOf).containsExactly("pod group default/train: 3 of 5", "pod group default/train: 3");
    }

    @Test
    void fewerThatAreStillTooManyTellNothingNew() {
        needs(OptionalInt.of(5));
        needs(OptionalInt.of(4));
        assertThat(scene.toldOf).containsExactly("pod group default/train: 3 of 5");
    }
}
