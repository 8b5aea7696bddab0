package io.evenkeel.model.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ValueSetTest {
    /** One of each width, order and length: a surrogate pair sorts before what follows it in the plane, as strings do. */
    private static final String LETTERS = "ab-é\u4e2d\uD83D\uDE00\uFFFD\uD800";

    @Test
    void isTheSortedListOfTheSameStrings() {
        for (long seed = 1; seed <= 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int letters = 2 + random.nextInt(LETTERS.length() - 1);
            List<String> values = IntStream.range(0, 20 + random.nextInt(60))
                    .mapToObj(i -> text(random, letters))
                    .toList();
            Set<String> naive = new TreeSet<>(values);

            List<String> set = ValueSet.sorted(values);

            assertThat(set).as("seed %d", seed).isEqualTo(List.copyOf(naive)).hasSameHashCodeAs(List.copyOf(naive));
            assertThat(List.copyOf(naive)).as("seed %d", seed).isEqualTo(set);
            assertThat(ValueSet.sorted(new HashSet<>(values)))
                    .as("seed %d", seed)
                    .isEqualTo(set);
            for (int i = 0; i < 100; i++) {
                String asked = text(random, letters);
                assertThat(set.contains(asked)).as("seed %d, %s", seed, asked).isEqualTo(naive.contains(asked));
            }
        }
    }

    @Test
    void anotherStringMakesAnotherSet() {
        List<String> one = ValueSet.sorted(many("v", 20));
        List<String> other = new ArrayList<>(many("v", 19));
        other.add("w");

        assertThat(one).isInstanceOf(ValueSet.class).isNotEqualTo(ValueSet.sorted(other));
    }

    @Test
    void whatIsOneValueOrSeveralStaysSo() {
        List<String> same = IntStream.range(0, 20).mapToObj(i -> "v").toList();

        assertThat(ValueSet.compact(List.of("b", "a", "b"))).containsExactly("b", "a", "b");
        assertThat(ValueSet.compact(same)).hasSizeGreaterThan(1).containsOnly("v");
        assertThat(ValueSet.compact(many("v", 20))).isInstanceOf(ValueSet.class).hasSize(20);
    }

    private static String text(SplittableRandom random, int letters) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(LETTERS.charAt(random.nextInt(letters)));
        }
        return text.toString();
    }

    private static List<String> many(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }
}
