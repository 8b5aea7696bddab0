package io.evenkeel.cluster.counting;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.counting.SelectorIndex.MentionedKeys;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import org.junit.jupiter.api.Test;

class MentionedKeysTest {
    private final MentionedKeys mentioned = new MentionedKeys();

    private static LabelSelector of(String key) {
        return LabelSelector.matchingLabels(Labels.of(key, "a"));
    }

    @Test
    void aKeyThatIsMentionedNoMoreIsThereForTheNextSelector() {
        assertThat(mentioned.add(of("app"))).containsExactly("app");
        assertThat(mentioned.remove(of("app"))).isEmpty();
        assertThat(mentioned.add(of("app"))).isEmpty();
        assertThat(mentioned.stale()).isZero();
    }

    @Test
    void keysThatAreMentionedNoMoreAreFew() {
        for (int i = 0; i < 100; i++) {
            mentioned.add(of("key-" + i));
            mentioned.remove(of("key-" + i));
        }
        assertThat(mentioned.stale()).isLessThan(9);
    }

    @Test
    void keysThatAreMentionedNoMoreAreShort() {
        for (int i = 0; i < 100; i++) {
            mentioned.add(of("live-" + i));
        }
        for (int i = 0; i < 100; i++) {
            String large = i + "x".repeat(1 << 18);
            mentioned.add(of(large));
            mentioned.add(of(large));
            mentioned.remove(of(large));
            assertThat(mentioned.selectorsByKey()).containsKey(large);
            mentioned.remove(of(large));
            assertThat(mentioned.stale()).isLessThan(5);
        }
        assertThat(mentioned.selectorsByKey()).hasSizeLessThan(105);
    }
}
