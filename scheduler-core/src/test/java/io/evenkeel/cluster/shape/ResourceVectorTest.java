package io.evenkeel.cluster.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
    void soItIsWithMoreAmountsThanAnybodyMeansWell() {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            order.add("x.io/r" + i);
        }
        ResourceVector first = of(order);
        names.acquire(first);
        for (int i = 0; i < 50; i++) {
            Collections.shuffle(order, new Random(i));
            ResourceVector vector = of(order);

            assertThat(vector).isEqualTo(first);
            assertThat(IntStream.range(0, vector.size()).map(vector::resourceAt))
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
        order.forEach(name -> assertThat(first.amountOf(names.find(name)))
                .isEqualTo(Long.parseLong(name.substring("x.io/r".length())) + 1));
        assertThat(first.amountOf(ResourceNames.CPU)).isZero();
        assertThat(first.amountOf(names.end())).isZero();
    }

    private ResourceVector of(List<String> order) {
        Map<String, Quantity> amounts = new LinkedHashMap<>();
        order.forEach(name -> amounts.put(name, Quantity.of(Long.parseLong(name.substring("x.io/r".length())) + 1)));
        return ResourceVector.of(amounts, names);
    }

    @Test
    void aNameWithoutAnAmountIsNotRemembered() {
        ResourceVector.of(ResourceList.of("x.io/a", "0"), names);

        assertThat(names.find("x.io/a")).isEqualTo(ResourceNames.UNKNOWN);
    }

    @Test
    void aNameIsForgottenWithItsLastUserAndItsIdIsUsedAgain() {
        ResourceVector one = ResourceVector.of(ResourceList.of("x.io/a", "1"), names);
        names.acquire(one);
        names.acquire(one);
        names.release(one);
        assertThat(names.find("x.io/a")).isEqualTo(3);

        names.release(one);
        assertThat(names.find("x.io/a")).isEqualTo(ResourceNames.UNKNOWN);
        assertThat(names.nameOf(3)).isEmpty();
        assertThat(names.idOf("unheard-of")).isEqualTo(3);
        assertThat(names.isScalar(3)).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> names.release(one));
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
