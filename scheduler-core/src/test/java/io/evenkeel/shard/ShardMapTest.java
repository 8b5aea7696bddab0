package io.evenkeel.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.ShardSettings;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardMapTest {
    private static final int NODES = 100_000;

    @Test
    void theHashIsTheOneThatOtherReplicasHave() {
        ShardMap four = hashed(4);
        assertThat(List.of(
                        "node-0",
                        "node-1",
                        "node-2",
                        "node-3",
                        "node-4",
                        "node-5",
                        "node-6",
                        "node-7",
                        "",
                        "kn\u00f6tchen"))
                .map(four::fallbackOf)
                .containsExactly(2, 2, 1, 2, 0, 2, 0, 2, 2, 3);
        assertThat(four.ring(pod("", "3f1c"))).containsExactly(0, 3, 2, 1);
        assertThat(hashed(64).fallbackOf("ip-10-0-0-1.ec2.internal")).isEqualTo(51);
    }

    @Test
    void theHashIsWhatItsContractSays() {
        for (int i = 0; i < 1_000; i++) {
            String name = "pool-é-" + i;
            long seed = 0xcbf29ce484222325L;
            for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
                seed = (seed ^ (each & 0xff)) * 0x100000001b3L;
            }
            SplittableRandom weights = new SplittableRandom(seed);
            long[] drawn = weights.longs(7).toArray();
            long greatest = Arrays.stream(drawn).max().getAsLong();
            assertThat(drawn[hashed(7).fallbackOf(name)]).as(name).isEqualTo(greatest);
        }
    }

    @Test
    void shardsAreOfEqualSizeWithinThreePercent() {
        for (int count : new int[] {2, 3, 4, 8, 16}) {
            for (int size : sizes(hashed(count))) {
                assertThat(Math.abs(size * count - NODES))
                        .as("%d of %d shards", size, count)
                        .isLessThanOrEqualTo(3 * NODES / 100);
            }
        }
    }

    @Test
    void oneShardMoreTakesItsPartAndNothingElseMoves() {
        for (int count : new int[] {1, 2, 3, 7, 63}) {
            ShardMap before = hashed(count);
            ShardMap after = hashed(count + 1);
            int moved = 0;
            for (int i = 0; i < NODES; i++) {
                String name = name(i);
                if (before.fallbackOf(name) != after.fallbackOf(name)) {
                    assertThat(after.fallbackOf(name)).as(name).isEqualTo(count);
                    moved++;
                }
            }
            assertThat(moved).as("to the new one of %d", count + 1).isEqualTo(sizes(after)[count]);
        }
    }

    @Test
    void aNodeIsInTheShardOfItsLabelAndInTheLastWithoutAListedOne() {
        ShardMap map = labelled("a", "b");
        assertThat(map.count()).isEqualTo(3);
        assertThat(map.ofNode(
                        NodeBuilder.node("n").label("example.com/pool", "a").build()))
                .isZero();
        assertThat(map.ofNode(
                        NodeBuilder.node("n").label("example.com/pool", "b").build()))
                .isEqualTo(1);
        assertThat(map.ofNode(
                        NodeBuilder.node("n").label("example.com/pool", "c").build()))
                .isEqualTo(2);
        assertThat(map.ofNode(NodeBuilder.node("n").build())).isEqualTo(2);
        assertThat(map.ofName("n")).isEmpty();
        assertThat(map.moves()).isTrue();
    }

    @Test
    void aHashedNodeIsInTheShardOfItsName() {
        ShardMap map = hashed(5);
        assertThat(map.ofNode(
                        NodeBuilder.node("n-17").label("example.com/pool", "a").build()))
                .isEqualTo(map.ofName("n-17").getAsInt());
        assertThat(map.moves()).isFalse();
    }

    @Test
    void replicasOfAnOwnerShareTheirRing() {
        ShardMap map = hashed(16);
        assertThat(map.ring(pod("owner-1", "x"))).isEqualTo(map.ring(pod("owner-1", "y")));
        Set<Integer> homes = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            int[] ring = map.ring(pod("owner-" + i, "x"));
            assertThat(ring).hasSize(16).doesNotHaveDuplicates();
            homes.add(ring[0]);
        }
        assertThat(homes).hasSize(16);
    }

    @Test
    void aPodWithoutAUidHasTheRingOfItsName() {
        ShardMap map = hashed(16);
        assertThat(IntStream.range(0, 50)
                        .map(i -> map.ring(PodBuilder.pod("p-" + i).build())[0])
                        .distinct()
                        .count())
                .isGreaterThan(8);
    }

    @Test
    void aMapIsReadAsItWasWritten() {
        for (ShardMap map : List.of(hashed(1), hashed(64), labelled("a"), labelled("b", "a", ""), labelled(""))) {
            assertThat(ShardMap.parse(map.text()).map(ShardMap::text)).contains(map.text());
            assertThat(ShardMap.parse(map.text()).map(ShardMap::count)).contains(map.count());
        }
        assertThat(hashed(4).text()).isEqualTo("count=4");
        assertThat(labelled("b", "a").text()).isEqualTo("example.com/pool in (b,a)");
    }

    @Test
    void whetherPodsAreRefusedIsPartOfTheMap() {
        for (String text : List.of("count=4 across=Refuse", "example.com/pool in (b,a) across=Refuse")) {
            ShardMap map = ShardMap.parse(text).orElseThrow();
            assertThat(map.text()).isEqualTo(text);
            assertThat(map.hasNoOverseer()).isTrue();
        }
    }

    @Test
    void aLabelNamedCountIsNoCount() {
        ShardMap map = new ShardMap(new ShardSettings("count", List.of("4"), 1, false));
        assertThat(ShardMap.parse(map.text()).map(ShardMap::count)).contains(2);
    }

    @Test
    void whatIsNoMapIsNotRead() {
        List<String> many = IntStream.range(0, 64).mapToObj(i -> "v" + i).toList();
        assertThat(List.of(
                        "",
                        "count=",
                        "count=0",
                        "count=65",
                        "count=04",
                        "count=4 ",
                        "count=4 across=Place",
                        "count=4 across=Refuse across=Refuse",
                        "count=99999999999",
                        "pool=a",
                        "pool in (a",
                        "pool in (a,a)",
                        "pool in (a b)",
                        "-pool in (a)",
                        "pool in (a/b)",
                        "pool in (" + String.join(",", many) + ")"))
                .allSatisfy(text -> assertThat(ShardMap.parse(text)).as(text).isEmpty());
    }

    private static int[] sizes(ShardMap map) {
        int[] sizes = new int[map.count()];
        for (int i = 0; i < NODES; i++) {
            sizes[map.fallbackOf(name(i))]++;
        }
        return sizes;
    }

    private static String name(int i) {
        return "node-" + i;
    }

    private static Pod pod(String owner, String uid) {
        PodBuilder pod = PodBuilder.pod("p").uid(uid);
        return (owner.isEmpty() ? pod : pod.controller(new OwnerReference("apps/v1", "ReplicaSet", "r", owner)))
                .build();
    }

    private static ShardMap hashed(int count) {
        return new ShardMap(new ShardSettings("", List.of(), count, false));
    }

    private static ShardMap labelled(String... values) {
        return new ShardMap(new ShardSettings("example.com/pool", List.of(values), 1, false));
    }
}
