package io.evenkeel.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.census.Census;
import io.evenkeel.doors.TriedCluster.Cost;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whoever may create an object can make each of its lists, maps and texts as large as an API server takes it. What that costs is
 * held to what the object holds: the memory while it is there, the work, which is counted and not timed, what is left once it is
 * gone, and the work for others' pods beside it.
 *
 * <p>In each build some doors are tried with small objects and some with larger ones, others for each commit, a tenth of
 * those that once stood open, and a third with keys of topologies and of those that make tables grow; {@code -Pnightly} tries all. With {@code -Dio.evenkeel.doors=} and the beginning
 * of doors' names, such as {@code Pod.spec.tolerations} or nothing for all, these are tried beside 5,000 nodes with {@code
 * -Dio.evenkeel.doors.objects=} (3) objects of {@code -Dio.evenkeel.doors.characters=} (1,500,000) each, and a row of each is
 * printed. The table of docs/security.md has the most of such rows.
 */
class EveryDoorTest {
    private static final Optional<String> CHOSEN = Optional.ofNullable(System.getProperty("io.evenkeel.doors"));

    /** Of all doors one in so many is tried with small objects, and one in so many with larger ones. */
    private static final int SMALL_PARTS = 100;

    private static final int LARGE_PARTS = 500;
    private static final int ONCE_OPEN_PARTS = 10;
    private static final int TOPOLOGY_PARTS = 3;

    private static final int FEW_NODES = 128;
    private static final int MANY_NODES = 512;

    /** Numbers for each node that are kept of an object, however many elements it has: masks, scores, and sums of these. */
    private static final int MOST_COLUMNS = 16;

    /** What counts for each byte of an object. */
    private static final int MOST_COUNTED = 3;

    /** And of what comes and goes for ordinary pods. */
    private static final int MOST_LEFT_COUNTED = 5_000;

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
    private static final List<String> ONCE_OPEN = List.of(
            "Node.metadata.labels",
            "Node.status.allocatable",
            "Node.status.images",
            "Pod.metadata.ownerReferences.name",
            "Pod.spec.containers.image",
            "Pod.spec.containers.resources.requests",
            "Pod.spec.topologySpreadConstraints",
            "Pod.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms",
            "Pod.spec.volumes",
            "PlacementPolicy.metadata.namespace",
            "StorageClass.allowedTopologies");

    /** Those by each element of which tables grow that are kept. */
    private static final Set<String> GROWING_TABLES =
            Set.of("Pod.metadata.labels", "Pod.spec.topologySpreadConstraints", "Pod.spec.containers.ports");

    @Test
    void thereAreDoorsOfEachKind() {
        assertThat(Kinds.IN_TREE.all())
                .allSatisfy(kind -> assertThat(Door.of(kind)).hasSizeGreaterThan(5));
        assertThat(Door.of(Kinds.POD)).hasSizeGreaterThan(150);
        assertThat(Door.all()).extracting(Door::name).containsAll(ONCE_OPEN).doesNotHaveDuplicates();
    }

    @Test
    void smallObjectsTakeNoMoreThanTheyHoldHoweverManyNodesThereAreAndLeaveNothingBehind() {
        TriedCluster few = TriedCluster.counted(FEW_NODES);
        TriedCluster many = TriedCluster.counted(MANY_NODES);
        List<String> unbounded = new ArrayList<>();
        for (Door door : CHOSEN.isPresent() ? chosen() : withTopologyKeys(part(Door.all(), SMALL_PARTS))) {
            few.work(door, 2, 20_000); // so that tables have grown
            many.work(door, 2, 20_000);
            Cost besideFew = few.all(door, 2, 20_000);
            Cost besideMany = many.all(door, 2, 20_000);
            unbounded.addAll(faultsCounted(besideFew));
            unbounded.addAll(faultsCounted(besideMany));
            if (besideMany.there() - besideFew.there()
                    > MOST_COLUMNS * (MANY_NODES - FEW_NODES) * besideMany.objects()) {
                unbounded.add("grows with the nodes: " + besideMany + ", beside few: " + besideFew);
            }
        }
        assertThat(unbounded).isEmpty();
    }

    /** Nor the room in tables, which grow with the labels, constraints and ports of one pod. */
    @Test
    void roomInTablesIsGivenBack() {
        TriedCluster cluster = TriedCluster.counted(FEW_NODES);
        List<Door> growing = Door.all().stream()
                .filter(door -> GROWING_TABLES.contains(door.name()))
                .toList();
        assertThat(growing).hasSameSizeAs(GROWING_TABLES);
        assertThat(part(growing, growing.size()).stream().map(door -> cluster.all(door, 2, 1_000_000)))
                .hasSizeGreaterThan(0)
                .allMatch(cost -> cost.left() <= MOST_LEFT_COUNTED);
    }

    /** Tables of what equal objects share have a size, whatever was read. */
    @Rotated(3)
    @Test
    void readersKeepNoMoreThanTheirTables() {
        TriedCluster cluster = TriedCluster.counted(FEW_NODES);
        cluster.read(60_000);
        Census before = cluster.readers();
        cluster.read(20_000);
        assertThat(cluster.readers().since(before).values().stream()
                        .mapToLong(more -> more)
                        .sum())
                .isLessThan(2_000);
    }

    /** Names of fields may be as long as an object, and no two alike. */
    @Test
    void readersKeepNoNames() {
        ObjectReader reader = new ObjectReader();
        String rest = "x".repeat(40_000);
        long before = TriedCluster.heap();
        for (int i = 0; i < 50; i++) {
            int number = i;
            reader.read(IntStream.range(0, 30)
                    .mapToObj(label -> "\"%d-%d-%s\": \"\"".formatted(number, label, rest))
                    .collect(Collectors.joining(
                            ", ",
                            "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n\", \"labels\": {",
                            "}}}")));
        }
        try {
            assertThat(TriedCluster.heap() - before).isLessThan(20 << 20);
        } finally {
            Reference.reachabilityFence(reader);
        }
    }

    @Test
    void largerObjectsTakeNoMoreThanTheyHoldAndLeaveNothingBehind() {
        List<String> unbounded = new ArrayList<>();
        if (CHOSEN.isPresent()) {
            TriedCluster cluster = new TriedCluster(5_000);
            int objects = Integer.getInteger("io.evenkeel.doors.objects", 3);
            int characters = Integer.getInteger("io.evenkeel.doors.characters", 1_500_000);
            for (Door door : chosen()) {
                Cost cost = cluster.all(door, objects, characters);
                System.out.println(cost);
                unbounded.addAll(faults(cost));
            }
        } else {
            TriedCluster cluster = new TriedCluster(MANY_NODES);
            List<String> onceOpen = part(ONCE_OPEN, ONCE_OPEN_PARTS);
            Stream.concat(
                            part(Door.all(), LARGE_PARTS).stream(),
                            Door.all().stream().filter(door -> onceOpen.contains(door.name())))
                    .distinct()
                    .forEach(door -> unbounded.addAll(faults(cluster.all(door, 10, 250_000))));
        }
        assertThat(unbounded).isEmpty();
    }

    private static List<Door> chosen() {
        return Door.all().stream()
                .filter(door -> door.name().startsWith(CHOSEN.orElseThrow()))
                .toList();
    }

    /** One in so many, others for each commit. */
    private static <T> List<T> part(List<T> all, int parts) {
        return IntStream.range(0, all.size())
                .filter(i -> Rotation.plays(i, parts))
                .mapToObj(all::get)
                .toList();
    }

    /** And some whose elements have keys of topologies: what is kept of one grows with the nodes where that is not thought of. */
    private static List<Door> withTopologyKeys(List<Door> some) {
        List<Door> withKeys = Door.all().stream().filter(Door::hasTopologyKeys).toList();
        return Stream.concat(some.stream(), part(withKeys, TOPOLOGY_PARTS).stream())
                .distinct()
                .toList();
    }

    private static List<String> faults(Cost cost) {
        List<String> faults = faultsOfWork(cost);
        if (cost.there() > MOST_HEAP * cost.bytes()) {
            faults.add("too much memory");
        }
        if (cost.left() > MOST_LEFT_IN_CACHES + MOST_LEFT_A_BYTE * cost.bytes()) {
            faults.add("left behind");
        }
        faults.replaceAll(fault -> fault + ": " + cost);
        return faults;
    }

    private static List<String> faultsCounted(Cost cost) {
        List<String> faults = faultsOfWork(cost);
        if (cost.there() > MOST_COUNTED * cost.bytes()) {
            faults.add("too much is kept");
        }
        if (cost.left() > MOST_LEFT_COUNTED) {
            faults.add("left behind");
        }
        faults.replaceAll(fault -> fault + ": " + cost);
        return faults;
    }

    private static List<String> faultsOfWork(Cost cost) {
        List<String> faults = new ArrayList<>();
        if (cost.work() > MOST_WORK * cost.bytes() + MOST_USUAL * cost.objects() * cost.usual()) {
            faults.add("too much work");
        }
        if (cost.besides() > cost.usual() + cost.usual() / 4) {
            faults.add("more work for others");
        }
        return faults;
    }
}
