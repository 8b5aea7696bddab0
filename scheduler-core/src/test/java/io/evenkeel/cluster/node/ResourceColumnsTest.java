package io.evenkeel.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceColumnsTest {
    private static final String NAME = "x.io/a";
    private static final int ROWS = 64;

    private final ResourceNames names = new ResourceNames();
    private final ResourceColumns columns = new ResourceColumns(names, ROWS);

    private ResourceVector amounts(Map<String, Long> amounts) {
        Map<String, Quantity> quantities = new HashMap<>();
        amounts.forEach((name, amount) -> quantities.put(name, Quantity.of(amount)));
        return ResourceVector.of(quantities, names);
    }

    private void offerOn(int firstNode, int lastNode, long amount) {
        for (int node = firstNode; node <= lastNode; node++) {
            columns.offer(node, amounts(Map.of(NAME, amount)));
        }
    }

    /** The example that the class tells. */
    @Test
    void aResourceHasColumnsWhileManyNodesOfferIt() {
        ResourceVector taken = amounts(Map.of(NAME, 1L));
        names.acquire(taken);
        int resource = names.find(NAME);
        columns.add(9, taken, 1);
        offerOn(0, 2, 8);
        assertThat(columns.hasColumn(resource)).isFalse();
        assertThat(columns.entries()).isOne();

        offerOn(3, 3, 8);
        assertThat(columns.hasColumn(resource)).isTrue();
        assertThat(columns.entries()).isZero();
        assertThat(columns.requested(resource, 9)).isOne();
        assertThat(columns.allocatable(resource, 3)).isEqualTo(8);

        offerOn(0, 2, 0);
        assertThat(columns.hasColumn(resource)).isFalse();
        assertThat(columns.entries()).isOne();
        assertThat(columns.requested(resource, 9)).isOne();
        assertThat(columns.allocatable(resource, 2)).isZero();
        assertThat(columns.allocatable(resource, 3)).isEqualTo(8);
    }

    @Test
    void whatTooFewOfMoreNodesOfferLosesItsColumns() {
        offerOn(0, 3, 8);
        int resource = names.find(NAME);
        columns.grow(2 * ROWS);
        assertThat(columns.hasColumn(resource)).isTrue();

        columns.grow(4 * ROWS);
        assertThat(columns.hasColumn(resource)).isFalse();
        assertThat(columns.allocatable(resource, 3)).isEqualTo(8);
    }

    @Test
    void namesAreForgottenWithTheLastNodeThatOffersThem() {
        offerOn(0, 9, 8);
        assertThat(names.count()).isEqualTo(4);

        offerOn(0, 9, 0);
        assertThat(names.count()).isEqualTo(3);
        assertThat(columns.columns()).isEqualTo(3);
    }

    /** Pods come and go, nodes offer and withdraw, rows are added: every amount is that of plain maps. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void amountsAreThoseOfARecount(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Integer, Map<String, Long>> offered = new HashMap<>();
        Map<Integer, Map<String, Long>> requested = new HashMap<>();
        record Taken(int node, ResourceVector amounts, Map<String, Long> plain) {}
        List<Taken> pods = new ArrayList<>();
        int rows = ROWS;
        int mostColumns = 0;
        for (int step = 0; step < 4_000; step++) {
            int node = random.nextInt(rows);
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    Map<String, Long> plain = random.nextInt(2) == 0 ? Map.of() : random(random);
                    offered.put(node, plain);
                    columns.offer(node, amounts(plain));
                }
                case 2, 3 -> {
                    Map<String, Long> plain = random(random);
                    ResourceVector amounts = amounts(plain);
                    names.acquire(amounts);
                    pods.add(new Taken(node, amounts, plain));
                    columns.add(node, amounts, 1);
                    plain.forEach((name, amount) -> requested
                            .computeIfAbsent(node, _ -> new HashMap<>())
                            .merge(name, amount, Long::sum));
                }
                default -> {
                    if (!pods.isEmpty()) {
                        Taken gone = pods.remove(random.nextInt(pods.size()));
                        columns.add(gone.node, gone.amounts, -1);
                        names.release(gone.amounts);
                        gone.plain.forEach(
                                (name, amount) -> requested.get(gone.node).merge(name, -amount, Long::sum));
                    }
                }
            }
            if (step == 2_000) {
                rows *= 2;
                columns.grow(rows);
            }
            mostColumns = Math.max(mostColumns, columns.columns());
            if (step % 50 == 0) {
                compare(rows, offered, requested);
            }
        }
        assertThat(mostColumns).as("the common names had columns").isGreaterThan(3);
        pods.forEach(pod -> columns.add(pod.node, pod.amounts, -1));
        assertThat(columns.entries()).isZero();
    }

    private void compare(int rows, Map<Integer, Map<String, Long>> offered, Map<Integer, Map<String, Long>> requested) {
        for (int node = 0; node < rows; node++) {
            for (int resource = 0; resource < names.end(); resource++) {
                String name = names.nameOf(resource);
                assertThat(columns.allocatable(resource, node))
                        .as("%s of %d", name, node)
                        .isEqualTo(offered.getOrDefault(node, Map.of())
                                .getOrDefault(name, 0L)
                                .longValue());
                assertThat(columns.requested(resource, node))
                        .as("requested %s of %d", name, node)
                        .isEqualTo(requested
                                .getOrDefault(node, Map.of())
                                .getOrDefault(name, 0L)
                                .longValue());
            }
        }
    }

    /** Some names are on many nodes, most on few, so that columns come and go. */
    private static Map<String, Long> random(SplittableRandom random) {
        Map<String, Long> amounts = new HashMap<>();
        int size = random.nextInt(1, 4);
        for (int i = 0; i < size; i++) {
            int spread = 1 << random.nextInt(7);
            amounts.put("x.io/" + random.nextInt(spread), random.nextLong(1, 9));
        }
        amounts.put("memory", random.nextLong(1, 9));
        return amounts;
    }
}
