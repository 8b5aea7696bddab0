package io.evenkeel.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.census.Census;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.rotation.Rotated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Who cannot make objects large can make many of them, or change one again and again. Nothing is left of that: no entry of an index, no
 * namespace, no name. It is counted ({@link Census}) after more came and went before, so that tables have grown already.
 *
 * <p>With {@code -Dio.evenkeel.doors.many=} the heap is looked at after so many objects of each kind, which are there all at once,
 * and half as many versions of one, and a row of each kind is printed; of those kinds alone whose names begin as {@code
 * -Dio.evenkeel.doors=} says.
 */
@Rotated(3)
class ManyObjectsTest {
    private static final int NODES = 64;
    private static final int OBJECTS = 100;

    /** Of so many Services default spreading keeps what it has worked out for their pods. */
    private static final int KEPT = 4_096;

    private static final Door OF_SERVICES = door(Kinds.SERVICE, "metadata.uid");

    private static final String MANY = "io.evenkeel.doors.many";

    /** Nodes that take as many pods. */
    private static final int NODES_FOR_MANY = 512;

    /** Heap that may be left in caches. */
    private static final long MOST_LEFT = 20 << 20;

    private final TriedCluster cluster = TriedCluster.counted(NODES);

    @Test
    void objectsThatAreGoneLeaveNothing() {
        assertThat(Kinds.IN_TREE.all().stream()
                        .flatMap(kind -> Stream.of(door(kind, "metadata.uid"), door(kind, "metadata.namespace")))
                        .filter(door -> !door.equals(OF_SERVICES))
                        .map(door -> left(door, OBJECTS, door.name().equals("Pod.metadata.uid"), cluster::many))
                        .flatMap(Optional::stream))
                .isEmpty();
    }

    @Test
    void servicesThatAreGoneLeaveNoMoreThanIsKeptOfSome() {
        cluster.many(OF_SERVICES, KEPT, false);
        assertThat(left(OF_SERVICES, KEPT / 4, false, cluster::many)).isEmpty();
    }

    @Test
    void versionsOfAnObjectLeaveNothing() {
        Stream<Optional<String>> ofEachKind = Kinds.IN_TREE.all().stream()
                .map(kind -> left(door(kind, "metadata.labels"), OBJECTS, kind.equals(Kinds.POD), cluster::versions));
        Stream<Optional<String>> ofPodsThatWait = Stream.of(
                        "spec.nodeSelector", "spec.schedulingGates", "spec.topologySpreadConstraints")
                .map(path -> left(door(Kinds.POD, path), OBJECTS, false, cluster::versions));
        assertThat(Stream.concat(ofEachKind, ofPodsThatWait).flatMap(Optional::stream))
                .isEmpty();
    }

    @Rotated(1)
    @Test
    @EnabledIfSystemProperty(named = MANY, matches = "\\d+")
    void soManyLeaveNoMoreThanCachesTake() {
        int many = Integer.getInteger(MANY);
        TriedCluster inUse = new TriedCluster(NODES_FOR_MANY);
        List<String> kept = new ArrayList<>();
        String chosen = System.getProperty("io.evenkeel.doors", "");
        for (Kind<?> kind : Kinds.IN_TREE.all()) {
            if (!kind.name().startsWith(chosen)) {
                continue;
            }
            inUse.many(door(kind, "metadata.uid"), OBJECTS, false);
            long before = TriedCluster.heap();
            inUse.many(door(kind, "metadata.uid"), many, false);
            long ofObjects = TriedCluster.heap() - before;
            inUse.versions(door(kind, "metadata.labels"), many / 2, false);
            long all = TriedCluster.heap() - before;
            String row = "| %s | %.1f MB | %.1f MB |".formatted(kind.name(), ofObjects / 1e6, (all - ofObjects) / 1e6);
            System.out.println(row);
            if (all > MOST_LEFT) {
                kept.add(row);
            }
        }
        assertThat(kept).isEmpty();
    }

    private interface Coming {
        void comeAndGo(Door door, int number, boolean arePlaced);
    }

    /** What is left, where it is as much as one for each object: an entry takes more. */
    private Optional<String> left(Door door, int objects, boolean arePlaced, Coming coming) {
        coming.comeAndGo(door, 2 * objects, arePlaced);
        Census before = cluster.census();
        coming.comeAndGo(door, objects, arePlaced);
        Census after = cluster.census();
        return after.moreSince(before) < objects
                ? Optional.empty()
                : Optional.of(door.name() + ": " + after.since(before));
    }

    private static Door door(Kind<?> kind, String path) {
        return Door.of(kind).stream()
                .filter(door -> door.name().equals(kind.name() + "." + path))
                .findFirst()
                .orElseThrow();
    }
}
