package io.evenkeel.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@link IntLongMap}, and {@link SparseCounts}, which it is the sparse half of. */
class CountsTest {

    @Test
    void aKeyWhoseCountFallsToZeroIsGone() {
        IntLongMap map = new IntLongMap();
        assertThat(map.add(7, 2)).isEqualTo(2);
        assertThat(map.add(7, -2)).isZero();

        assertThat(map.size()).isZero();
        assertThat(map.get(7)).isZero();
    }

    @Test
    void nothingAddedIsNothingKept() {
        IntLongMap map = new IntLongMap();

        assertThat(map.add(7, 0)).isZero();
        assertThat(map.size()).isZero();
    }

    @Test
    void countsMayBeNegative() {
        IntLongMap map = new IntLongMap();
        map.add(-3, -5);

        assertThat(map.get(-3)).isEqualTo(-5);
    }

    /** The keys collide and wrap around, so that holes are closed across the end of the table. */
    @Test
    void aMapCountsLikeAnyOtherMap() {
        SplittableRandom random = new SplittableRandom(1);
        IntLongMap map = new IntLongMap();
        Map<Integer, Long> expected = new HashMap<>();
        for (int step = 0; step < 200_000; step++) {
            int key = random.nextInt(step % 1000 < 500 ? 20 : 400) * 64;
            long delta = random.nextLong(-1, 2) << 40;
            long now = map.add(key, delta);
            expected.merge(key, delta, Long::sum);
            expected.remove(key, 0L);

            assertThat(now).isEqualTo(expected.getOrDefault(key, 0L).longValue());
            assertThat(map.size()).isEqualTo(expected.size());
        }
        expected.forEach((key, count) -> assertThat(map.get(key)).isEqualTo(count.longValue()));
        Map<Integer, Long> listed = new HashMap<>();
        for (int slot = 0; slot < map.slots(); slot++) {
            if (map.keyAt(slot) != IntLongMap.FREE) {
                listed.put(map.keyAt(slot), map.countAt(slot));
            }
        }
        assertThat(listed).isEqualTo(expected);
    }

    @Test
    void nodeCountsReadTheSameBeforeAndAfterTheyBecomeAnArray() {
        SplittableRandom random = new SplittableRandom(2);
        SparseCounts.Writer counting = SparseCounts.create();
        SparseCounts counts = counting.counts();
        Map<Integer, Integer> expected = new TreeMap<>();
        for (int step = 0; step < 3000; step++) {
            int node = random.nextInt(1 + step / 8);
            int delta = random.nextInt(-2, 3);
            counting.add(node, delta);
            expected.merge(node, delta, Integer::sum);
            expected.remove(node, 0);
            if (step % 100 == 0) {
                assertThat(listed(counts)).isEqualTo(expected);
                assertThat(written(counts)).isEqualTo(expected);
                int end = random.nextInt(1, 500);
                assertThat(column(counts, end))
                        .isEqualTo(IntStream.range(0, end)
                                .map(i -> expected.getOrDefault(i, 0))
                                .toArray());
                assertThat(counts.byName(i -> "n" + i).values()).containsExactlyInAnyOrderElementsOf(expected.values());
            }
        }
        assertThat(counts.get(1_000_000)).isZero();
    }

    @Test
    void countsTakeRoomForAsManyAsThereAre() {
        SparseCounts.Writer counting = SparseCounts.create();
        counting.add(4_999, 1);
        assertThat(counting.counts().isDense()).isFalse();
        assertThat(counting.counts().room()).isEqualTo(2);

        IntStream.range(0, 1_300).forEach(id -> counting.add(id, 1));
        assertThat(counting.counts().isDense()).isTrue();
        assertThat(counting.counts().room()).isEqualTo(5_000);
        assertThat(counting.array(6_000, int[]::new)).hasSizeGreaterThanOrEqualTo(6_000);

        IntStream.range(0, 1_300).forEach(id -> counting.add(id, -1));
        assertThat(counting.counts().isDense()).isFalse();
        assertThat(counting.counts().room()).isLessThanOrEqualTo(16);
        assertThat(listed(counting.counts())).isEqualTo(Map.of(4_999, 1));
        assertThat(counting.array(5_000, int[]::new)).contains(1);
    }

    @Test
    void smallIdsAreAnArrayHoweverFewThereAre() {
        SparseCounts.Writer counting = SparseCounts.create();
        counting.add(40, 1);
        assertThat(counting.counts().isDense()).isTrue();

        counting.add(63, 1);
        assertThat(counting.counts().isDense()).isTrue();
        counting.add(40, -1);
        assertThat(counting.counts().isDense()).isTrue();
        counting.add(200, 1);
        assertThat(counting.counts().isDense()).isFalse();
    }

    private static Map<Integer, Integer> listed(SparseCounts counts) {
        Map<Integer, Integer> listed = new TreeMap<>();
        counts.forEachNode(node -> listed.put(node, counts.get(node)));
        return listed;
    }

    private static Map<Integer, Integer> written(SparseCounts counts) {
        int[] nodes = new int[counts.size()];
        int[] numbers = new int[nodes.length];
        assertThat(counts.writeTo(nodes, numbers)).isEqualTo(nodes.length);
        Map<Integer, Integer> written = new TreeMap<>();
        for (int i = 0; i < nodes.length; i++) {
            written.put(nodes[i], numbers[i]);
        }
        return written;
    }

    /** Written over what was there before. */
    private static int[] column(SparseCounts counts, int end) {
        int[] column = new int[end];
        Arrays.fill(column, 99);
        counts.writeTo(column, end);
        return column;
    }

    @Test
    void anAuditComparesBothSides() {
        SparseCounts.Writer counting = SparseCounts.create();
        counting.add(1, 1);
        counting.add(2, 2);
        Differences differences = new Differences();
        counting.counts()
                .audit(
                        "pods",
                        Map.of(2, 2, 3, 3),
                        new AuditFacts(Map.of(), List.of(), node -> "n" + node),
                        differences);

        assertThat(differences.lines())
                .containsExactly("pods on node n1: kept 1, recounted 0", "pods on node n3: kept 0, recounted 3");
    }
}
