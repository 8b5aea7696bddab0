package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A gang that another scheduler has begun to bind, told of in whatever order its objects are listed. */
class GangBegunTest {
    private final LiveScene scene = new LiveScene(1, "GangScheduling", "{}");

    private void group() {
        scene.put(new PodGroup(
                ObjectMeta.named("default", "train"),
                OptionalInt.of(4),
                Optional.empty(),
                PodGroup.DISRUPTED_BY_POD,
                List.of()));
    }

    private static PodBuilder member(int number) {
        return PodBuilder.pod("w-" + number).uid("w-" + number).podGroup("train");
    }

    private void inPlace(int pods) {
        for (int number = 0; number < pods; number++) {
            scene.put(member(number).nodeName("n0").build());
        }
    }

    private void allIsKnown() {
        scene.with(List.of(node("n0", 9)));
    }

    @Test
    void isNotDegradedWhileTheOthersAreYetToBeToldOf() {
        inPlace(3);
        group();
        scene.put(member(3).build());
        allIsKnown();
        scene.schedule();

        assertThat(scene.places).containsOnlyKeys("w-3");
        assertThat(scene.toldOf).isEmpty();
    }

    @Test
    void isNotDegradedBeforeTheTurnOfTheOthers() {
        allIsKnown();
        inPlace(3);
        scene.put(member(3).build());
        group();
        scene.schedule();

        assertThat(scene.places).containsOnlyKeys("w-3");
        assertThat(scene.toldOf).isEmpty();
    }

    @Test
    void isDegradedWhereNobodyElseComes() {
        inPlace(3);
        group();
        assertThat(scene.toldOf).as("before all is known").isEmpty();
        allIsKnown();

        assertThat(scene.toldOf).containsExactly("pod group default/train: 3 of 4");
    }

    @Test
    void isDegradedWhereTheOthersFitNowhere() {
        inPlace(3);
        group();
        scene.put(member(3).nodeSelector("disk", "ssd").build());
        allIsKnown();
        scene.schedule();

        assertThat(scene.places).isEmpty();
        assertThat(scene.toldOf).containsExactly("pod group default/train: 3 of 4");
    }
}
