package io.evenkeel.cluster.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.shape.FacetTable.FacetBuckets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Held against a HashMap, with so few hashes that facets hang one on the other, and enough facets to grow. */
class FacetBucketsTest {
    private static final int VALUES = 90;

    private record Value(int number) {
        @Override
        public int hashCode() {
            return number % 7 << 14;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void findsWhatIsThereAndNothingElse(long seed) {
        Random random = new Random(seed);
        FacetBuckets<Value> buckets = new FacetBuckets<>();
        Map<Value, Facet<Value>> expected = new HashMap<>();
        for (int step = 0; step < 1_000; step++) {
            Value value = new Value(random.nextInt(VALUES));
            Facet<Value> known = expected.remove(value);
            if (known != null) {
                buckets.remove(known);
            } else {
                Facet<Value> added = new Facet<>(value, step, value.hashCode());
                buckets.add(added);
                expected.put(value, added);
            }
            assertThat(buckets.size()).isEqualTo(expected.size());
            assertThat(buckets.all()).containsExactlyInAnyOrderElementsOf(expected.values());
            for (int number = 0; number < VALUES; number++) {
                Value sought = new Value(number);
                assertThat(buckets.find(sought, sought.hashCode())).isSameAs(expected.get(sought));
            }
        }
    }
}
