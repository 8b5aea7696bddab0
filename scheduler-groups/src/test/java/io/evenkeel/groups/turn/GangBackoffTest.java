package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Gangs that fit nowhere leave others the engine, and come to their turns nevertheless. */
class GangBackoffTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LiveScene scene = LiveScene.of("GangScheduling", List.of(node("n0", 9)));

    private void putGang(String namespace, String name, String cpu) {
        scene.put(new PodGroup(
                ObjectMeta.named(namespace, name),
                OptionalInt.of(2),
                Optional.empty(),
                PodGroup.DISRUPTED_BY_POD,
                List.of()));
        for (int i = 0; i < 2; i++) {
            scene.put(PodBuilder.pod(namespace, name + "-" + i)
                    .uid(namespace + name + i)
                    .podGroup(name)
                    .container("cpu", cpu)
                    .build());
        }
    }

    private void putNode(int number) {
        scene.put(node("new" + number, 0).build());
    }

    @Test
    void whatIsDoneForThoseOfANamespaceInVainIsATenthOfTheTime() {
        for (int i = 0; i < 20; i++) {
            putGang("busy", "g" + i, "99");
        }
        scene.nanosAGang = 2 * SECOND;
        long begin = scene.now();
        for (int i = 0; i < 100; i++) {
            putNode(i);
            scene.pass(1);
        }
        assertThat(scene.gangs).isNotEmpty();
        assertThat(scene.nanosOfGangs).isLessThanOrEqualTo((scene.now() - begin) / 10 + scene.nanosAGang);
    }

    @Test
    void oneThatWaitsForTheRestIsTriedWhenThatIsOver() {
        scene.nanosAGang = 2 * SECOND;
        putGang("busy", "large", "99");
        scene.schedule();
        putGang("busy", "small", "1");
        scene.schedule();
        assertThat(scene.gangs).as("the rest holds the other").hasSize(1);
        assertThat(scene.scheduler.nextDeadline()).isPresent();
        scene.pass(60);
        assertThat(scene.places).containsOnlyKeys("small-0", "small-1");
    }

    @Test
    void thoseOfOtherNamespacesDoNotRest() {
        scene.nanosAGang = 2 * SECOND;
        putGang("busy", "large", "99");
        scene.schedule();
        putGang("other", "small", "1");
        scene.schedule();
        assertThat(scene.places).containsOnlyKeys("small-0", "small-1");
    }

    @Test
    void littleInVainMakesNobodyWait() {
        for (int i = 0; i < 20; i++) {
            putGang("busy", "large" + i, "99");
        }
        putGang("busy", "small", "1");
        scene.schedule();
        assertThat(scene.places).containsOnlyKeys("small-0", "small-1");
    }

    @Test
    void afterATurnOfOneOthersComeFirst() {
        for (int i = 0; i < 20; i++) {
            putGang("ns" + i, "large", "99");
        }
        scene.put(PodBuilder.pod("single").uid("single").container("cpu", "1").build());
        scene.nanosAGang = 2 * SECOND;
        while (scene.places.isEmpty() && scene.scheduler.scheduleNext()) {
            scene.deliver();
        }
        assertThat(scene.places).containsKey("single");
        assertThat(scene.gangs).hasSize(1);
        scene.schedule();
        assertThat(scene.gangs).as("all the same, none is forgotten").hasSize(20);
    }
}
