package io.evenkeel.cluster.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.index.Work;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FiledTermsTest {
    private static final List<String> KEYS = List.of("a", "b", "c");
    private static final List<String> VALUES = List.of("1", "2", "3");
    private static final Operator[] OPERATORS = Operator.values();

    @Test
    void theyAreWorthWhatEachIsWorthAlone() {
        Random random = new Random(1);
        for (int round = 0; round < 5_000; round++) {
            List<NodeSelectorTerm> terms = IntStream.range(0, random.nextInt(8))
                    .mapToObj(_ -> new NodeSelectorTerm(
                            some(random, KEYS, OPERATORS.length),
                            random.nextInt(4) > 0
                                    ? List.of()
                                    : some(random, List.of(NodeSelectorTerm.NAME_FIELD, "metadata.uid"), 2)))
                    .toList();
            int[] weights = terms.stream().mapToInt(_ -> random.nextInt(100)).toArray();
            FiledTerms filed = new FiledTerms(terms, weights, new Work());
            for (int node = 0; node < 5; node++) {
                Map<String, String> labels = new LinkedHashMap<>();
                KEYS.stream().filter(_ -> random.nextBoolean()).forEach(key -> labels.put(key, any(random, VALUES)));
                Labels has = Labels.of(labels);
                String name = any(random, VALUES);
                int expected = IntStream.range(0, weights.length)
                        .filter(term -> terms.get(term).matches(has, name))
                        .map(term -> weights[term])
                        .sum();
                assertThat(filed.worth(has, name))
                        .as("%s of %s at %s with %s", terms, weights, name, labels)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void aNodeIsComparedWithThoseThatItMayMatch() {
        Work work = new Work();
        List<NodeSelectorTerm> terms = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            for (Operator operator : List.of(Operator.IN, Operator.NOT_IN)) {
                terms.add(new NodeSelectorTerm(
                        List.of(new NodeSelectorRequirement("host", operator, List.of("n" + i))), List.of()));
            }
        }
        int[] weights = terms.stream().mapToInt(_ -> 1).toArray();
        FiledTerms filed = new FiledTerms(terms, weights, work);
        long before = work.units();
        assertThat(filed.worth(Labels.of("host", "n7"), "n7")).isEqualTo(1_000);
        assertThat(work.units() - before).isEqualTo(2);
    }

    private static List<NodeSelectorRequirement> some(Random random, List<String> keys, int operators) {
        return IntStream.range(0, random.nextInt(3))
                .mapToObj(_ -> new NodeSelectorRequirement(
                        any(random, keys),
                        OPERATORS[random.nextInt(operators)],
                        IntStream.range(0, random.nextInt(3))
                                .mapToObj(_ -> any(random, VALUES))
                                .toList()))
                .toList();
    }

    private static String any(Random random, List<String> from) {
        return from.get(random.nextInt(from.size()));
    }
}
