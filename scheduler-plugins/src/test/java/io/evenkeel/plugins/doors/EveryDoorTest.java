package io.evenkeel.plugins.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.doors.TriedCluster.Cost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Whoever may create an object can make each of its lists, maps and texts as large as an API server takes it. What that costs is
 * held to what the object holds: the memory while it is there, the work, which is counted and not timed, what is left once it is
 * gone, and the work for others' pods beside it.
 *
 * <p>All doors are tried with small objects. With large ones a part of them is, another for each commit, and those are that once
 * stood open. With {@code -Dio.evenkeel.doors=} and the beginning of doors' names, such as {@code Pod.spec.tolerations} or nothing
 * for all, these are tried beside 5,000 nodes with {@code -Dio.evenkeel.doors.objects=} (3) objects of 1.5 MB each, and the row
 * that docs/security.md has of each is printed.
 */
class EveryDoorTest {
    private static final int PARTS = 12;

    /** Heap that may be left of 200 objects of 1.5 MB, and so of fewer. */
    private static final double MOST_LEFT_A_BYTE = (20 << 20) / (200 * 1.5e6);

    /** And of any number, in caches that were not yet full. */
    private static final long MOST_LEFT_IN_CACHES = 2L << 20;

    /** Bytes of heap for each byte of an object. */
    private static final int MOST_HEAP = 30;

    /** Units of work for each byte of an object: an element has some thirty bytes, and a few steps are taken for each. */
    private static final int MOST_WORK = 2;

    /** How many ordinary pods' work goes to deciding one, whatever it is, and to asking those that wait. */
    private static final int MOST_USUAL = 20;

    /** Those by which more came in than may. */
    private static final Set<String> ONCE_OPEN = Set.of(
            "Node.metadata.labels",
            "Node.status.allocatable",
            "Node.status.images",
            "Pod.metadata.ownerReferences.name",
            "Pod.spec.containers.image",
            "Pod.spec.containers.resources.requests",
            "Pod.spec.topologySpreadConstraints",
            "Pod.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms",
            "Pod.spec.volumes",
            "StorageClass.allowedTopologies");

    @Test
    void thereAreDoorsOfEachKind() {
        assertThat(Kinds.IN_TREE.all())
                .allSatisfy(kind -> assertThat(Door.of(kind)).hasSizeGreaterThan(5));
        assertThat(Door.of(Kinds.POD)).hasSizeGreaterThan(150);
        assertThat(Door.all()).extracting(Door::name).containsAll(ONCE_OPEN).doesNotHaveDuplicates();
    }

    @Test
    void smallObjectsTakeNoMoreWorkThanTheyHoldAndLeaveNothingBehind() {
        TriedCluster cluster = new TriedCluster(500);
        Door.all().forEach(door -> cluster.work(door, 1, 1_000));
        long before = TriedCluster.heap();
        assertThat(Door.all().stream()
                        .map(door -> cluster.work(door, 2, 20_000))
                        .filter(cost -> !faults(cost).isEmpty()))
                .isEmpty();
        assertThat(TriedCluster.heap()).isLessThan(before + MOST_LEFT_IN_CACHES);
    }

    @Test
    void largeObjectsTakeNoMoreThanTheyHoldAndLeaveNothingBehind() {
        String chosen = System.getProperty("io.evenkeel.doors");
        int part = Math.floorMod(commit().hashCode(), PARTS);
        List<Door> all = Door.all();
        List<Door> doors = IntStream.range(0, all.size())
                .filter(i -> chosen == null
                        ? i % PARTS == part || ONCE_OPEN.contains(all.get(i).name())
                        : all.get(i).name().startsWith(chosen))
                .mapToObj(all::get)
                .toList();
        TriedCluster cluster = new TriedCluster(chosen == null ? 500 : 5_000);
        List<String> unbounded = new ArrayList<>();
        for (Door door : doors) {
            Cost cost = chosen == null
                    ? cluster.all(door, 10, 300_000)
                    : cluster.all(door, Integer.getInteger("io.evenkeel.doors.objects", 3), 1_500_000);
            if (chosen != null) {
                System.out.println(cost);
            }
            faults(cost).forEach(fault -> unbounded.add(fault + ": " + cost));
        }
        assertThat(unbounded).isEmpty();
    }

    private static List<String> faults(Cost cost) {
        List<String> faults = new ArrayList<>();
        if (cost.work() > MOST_WORK * cost.bytes() + MOST_USUAL * cost.objects() * cost.usual()) {
            faults.add("too much work");
        }
        if (cost.besides() > cost.usual() + cost.usual() / 4) {
            faults.add("more work for others");
        }
        if (cost.there() > MOST_HEAP * cost.bytes()) {
            faults.add("too much memory");
        }
        if (cost.left() > MOST_LEFT_IN_CACHES + MOST_LEFT_A_BYTE * cost.bytes()) {
            faults.add("left behind");
        }
        return faults;
    }

    /** Which sources these are; the same for all where nobody can tell. */
    private static String commit() {
        try {
            Process git = new ProcessBuilder("git", "rev-parse", "HEAD").start();
            return new String(git.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException noGit) {
            return "";
        }
    }
}
