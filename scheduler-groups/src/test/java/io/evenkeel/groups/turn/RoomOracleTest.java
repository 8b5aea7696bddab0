package io.evenkeel.groups.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.groups.turn.GangPreemption.Room;
import io.evenkeel.model.Pod;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Room for gangs in small random clusters, compared with going through everything by rules that are written out once more. {@code
 * -Devenkeel.seeds=N} compares so many cases.
 */
class RoomOracleTest {

    @Rotated(3)
    @Test
    void agreesWithGoingThroughEverything() {
        Map<String, Integer> outcomes = new TreeMap<>();
        for (long seed : Rotation.seeds(400).toArray()) {
            outcomes.merge(compare(seed, SmallRoom.random(new Random(seed))), 1, Integer::sum);
        }
        assertThat(outcomes.keySet())
                .as("%s", outcomes)
                .contains("nobody", "victims", "none, and there is none", "victims, where the gang counts others");
    }

    private static String compare(long seed, SmallRoom small) {
        NaiveRoom naive = new NaiveRoom(small);
        RoomScene scene = small.scene();
        Room room = scene.look(small.gang());
        String about = "seed " + seed + ": " + small + "\n" + room;
        if (!(room instanceof Room.Made made)) {
            assertThat(room).as(about).isInstanceOf(Room.None.class);
            assertThat(naive.hasSeatsWithout(naive.allWhoMayGo())).as(about).isFalse();
            boolean others = naive.hasSeatsWithoutSome();
            assertThat(others && !small.countsOthers()).as(about).isFalse();
            return others ? "none, and there is some that upstream's rule does not find" : "none, and there is none";
        }
        assertThat(made.isLeast()).as(about).isTrue();
        Set<Integer> gone = numbers(made.victims());
        if (naive.hasSeatsWithout(Set.of())) {
            assertThat(gone).as(about).isEmpty();
        }
        scene.follow(made, small.leaving());
        assertThat(naive.isUnion(gone)).as(about).isTrue();
        for (Set<Integer> unit : naive.unitsOf(gone)) {
            Set<Integer> fewer = new HashSet<>(gone);
            fewer.removeAll(unit);
            assertThat(naive.hasSeatsWithout(fewer))
                    .as("%s\nand %s back", about, unit)
                    .isFalse();
        }
        if (small.countsOthers()) {
            return gone.isEmpty() ? "nobody" : "victims, where the gang counts others";
        }
        assertThat(gone).as(about).isEqualTo(naive.reprieveOneByOne());
        return gone.isEmpty() ? "nobody" : "victims";
    }

    private static Set<Integer> numbers(List<Pod> pods) {
        Set<Integer> numbers = new HashSet<>();
        new ArrayList<>(pods)
                .forEach(pod -> numbers.add(Integer.parseInt(pod.name().substring(1))));
        return numbers;
    }
}
