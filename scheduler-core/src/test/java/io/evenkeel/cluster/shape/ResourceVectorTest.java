package io.evenkeel.cluster.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.value.ResourceList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResourceVectorTest {
    private final ResourceNames names = new ResourceNames();

    @Test
    void theOrderInWhichAmountsComeDoesNotMatter() {
        Map<String, Quantity> amounts = ResourceList.of(
                "cpu", "1", "memory", "2", "ephemeral-storage", "3", "a.com/x", "4", "b.com/x", "5", "c.com/x", "0");
        ResourceVector vector = ResourceVector.of(amounts, names);
        List<String> order = new ArrayList<>(amounts.keySet());
        for (int i = 0; i < 50; i++) {
            Collections.shuffle(order, new Random(i));
            Map<String, Quantity> shuffled = new LinkedHashMap<>();
            order.forEach(name -> shuffled.put(name, amounts.get(name)));

            assertThat(ResourceVector.of(shuffled, names)).isEqualTo(vector).hasSameHashCodeAs(vector);
        }
        assertThat(IntStream.range(0, vector.size()).map(vector::resourceAt)).isSorted();
        assertThat(vector).hasToString("{0=1000, 1=2, 2=3, 3=4, 4=5}");
        assertThat(vector.isZero()).isFalse();
    }

    @Test
    void whatNobodyCountsIsLeftOutEvenWhereItsNameIsKnown() {
        int pods = names.idOf(ResourceNames.PODS_NAME);

        assertThat(names.isCounted(pods)).isFalse();
        assertThat(names.isScalar(names.idOf("example.com/gpu"))).isTrue();
        assertThat(names.isScalar(ResourceNames.CPU)).isFalse();
        assertThat(ResourceVector.of(ResourceList.of("pods", "3", "unheard-of", "2", "cpu", "0"), names))
                .isEqualTo(ResourceVector.NONE)
                .satisfies(vector -> assertThat(vector.isZero()).isTrue());
    }
}
