package io.evenkeel.model.decode.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.value.ResourceList;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedValuesTest {
    private final SharedValues shared = new SharedValues();

    @Test
    void equalTextsAreOneHoweverTheyCome() {
        String first = shared.share(new String("web"));

        assertThat(shared.share(new String("web"))).isSameAs(first);
        assertThat(shared.share("web".toCharArray(), 0, 3)).isSameAs(first);
        assertThat(shared.share("web".getBytes(StandardCharsets.UTF_8), 0, 3)).isSameAs(first);
    }

    @Test
    void longTextsAreTheirObjectsOwn() {
        String text = "ü".repeat(1_000);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);

        assertThat(shared.share(text)).isSameAs(text);
        assertThat(shared.share(text)).isSameAs(text);
        assertThat(shared.share(text.toCharArray(), 0, 1_000)).isEqualTo(text).isNotSameAs(text);
        assertThat(shared.share(bytes, 0, bytes.length)).isEqualTo(text).isNotSameAs(text);
        assertThat(shared.quantity("1" + "0".repeat(1_000))).isEqualTo(Quantity.of(Long.MAX_VALUE));
    }

    /** A pod with thousands of resource names is gone once it is deleted. */
    @Test
    void amountsAreSharedWhileSomeObjectHasThem() {
        Map<String, Quantity> first = shared.resources(named("x.io/r"));
        assertThat(shared.resources(named("x.io/r"))).isSameAs(first);

        WeakReference<Map<String, Quantity>> seen = new WeakReference<>(shared.resources(named("x.io/s")));
        for (int i = 0; i < 100 && seen.get() != null; i++) {
            System.gc();
        }
        assertThat(seen.get()).isNull();
    }

    private static Map<String, Quantity> named(String prefix) {
        Map<String, Quantity> amounts = new HashMap<>();
        for (int i = 0; i < 30_000; i++) {
            amounts.put(prefix + i, Quantity.of(1));
        }
        return ResourceList.copyOf(amounts);
    }
}
