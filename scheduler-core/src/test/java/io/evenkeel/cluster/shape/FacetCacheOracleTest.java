package io.evenkeel.cluster.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.Pick;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link FacetCache} beside a map that forgets its eldest entry. */
class FacetCacheOracleTest {
    private static final int VALUES = 100;
    private static final int STEPS = 5_000;

    private final FacetTable<Integer> table = FacetTable.weighing(256, _ -> 1);
    private final List<String> happened = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();
    private final Map<Integer, Facet<Integer>> facets = new LinkedHashMap<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16, 17, 90, 1_000})
    void worksOutAndForgetsWhatTheMapDoes(int capacity) {
        Pick pick = new Pick(new SplittableRandom(capacity));
        FacetCache<Integer, String> cache = new FacetCache<>(
                table,
                capacity,
                facet -> {
                    happened.add("made " + facet.value());
                    return "of " + facet.value();
                },
                entry -> happened.add("forgot " + entry.substring(3)));
        Map<Integer, String> naive = new LinkedHashMap<>(16, 0.75f, true);
        for (int value = 0; value < VALUES; value++) {
            facets.put(value, table.acquire(value));
        }
        for (int step = 0; step < STEPS; step++) {
            int value = pick.below(VALUES);
            Facet<Integer> facet = facets.computeIfAbsent(value, table::acquire);
            if (pick.oneIn(10)) {
                table.release(facet);
                table.dropIdle();
                facets.remove(value);
                forget(naive, value);
            } else if (pick.oneIn(500)) {
                cache.clear();
                happened.sort(null);
                List.copyOf(naive.keySet()).forEach(known -> forget(naive, known));
                expected.sort(null);
            } else {
                assertThat(cache.get(facet)).isEqualTo("of " + value);
                if (!naive.containsKey(value) && naive.size() == capacity) {
                    forget(naive, naive.keySet().iterator().next());
                }
                if (naive.get(value) == null) {
                    expected.add("made " + value);
                    naive.put(value, "of " + value);
                }
            }
            assertThat(happened).isEqualTo(expected);
            happened.clear();
            expected.clear();
        }
    }

    private void forget(Map<Integer, String> naive, int value) {
        if (naive.remove(value) != null) {
            expected.add("forgot " + value);
        }
    }

    @Test
    void largeOnesPushOutOneAnotherAndNoOther() {
        FacetCache<Integer, Integer> cache =
                new FacetCache<>(table, 100, value -> value, Facet::value, entry -> happened.add("forgot " + entry));
        cache.get(table.acquire(1));
        Facet<Integer> first = table.acquire(60);
        cache.get(first);
        cache.get(table.acquire(40));
        assertThat(happened).isEmpty();

        cache.get(table.acquire(17));
        assertThat(happened).containsExactly("forgot 60");
        cache.get(table.acquire(1_000));
        assertThat(happened).containsExactly("forgot 60", "forgot 40", "forgot 17");
        cache.get(first);
        assertThat(happened).endsWith("forgot 1000").hasSize(4);
        table.release(first);
        table.dropIdle();
        assertThat(happened).endsWith("forgot 60").hasSize(5);
    }
}
