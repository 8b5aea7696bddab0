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

    @Test
    void whoHasRoomKeptIsTriedThoughTheOthersOfItsNamespaceRest() {
        scene.put(node("n0", 2).build());
        for (int i = 0; i < 2; i++) {
            scene.put(PodBuilder.pod("low-" + i)
                    .uid("low-" + i)
                    .priority(-1)
                    .nodeName("n0")
                    .build());
        }
        putGang("busy", "kept", "1");
        scene.schedule();
        assertThat(scene.evicted).hasSize(2);
        scene.nanosAGang = 2 * SECOND;
        putGang("busy", "large", "99");
        scene.schedule();
        putGang("busy", "small", "1");
        List.copyOf(scene.evicted).forEach(name -> scene.remove(scene.pod(name)));
        scene.put(node("n1", 2).build());
        scene.pass(10);
        assertThat(scene.places).as("small rests with large").containsOnlyKeys("kept-0", "kept-1");
    }

    @Test
    void givingWayIsOverWhenAsLongHasPassedAsTheTurnTook() {
        scene.pass(100);
        scene.nanosAGang = 5 * SECOND;
        putGang("one", "large", "99");
        scene.schedule();
        putGang("two", "large", "99");
        scene.put(PodBuilder.pod("early").uid("early").build());
        scene.gangs.clear();
        while (scene.places.isEmpty() && scene.scheduler.scheduleNext()) {
            scene.deliver();
        }
        assertThat(scene.places).containsKey("early");
        assertThat(scene.gangs).isEmpty();
        scene.schedule();
        assertThat(scene.gangs).hasSize(1);

        scene.pass(6);
        scene.gangs.clear();
        putGang("three", "large", "99");
        scene.put(PodBuilder.pod("late").uid("late").build());
        assertThat(scene.scheduler.scheduleNext()).isTrue();
        assertThat(scene.gangs).as("the gang came first").hasSize(1);
    }
}
