package io.evenkeel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A selector selects what its text says, read word by word; in which order the text has it is all the same. */
class LabelSelectorFuzzTest {
    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");
    private static final List<String> WORDS = List.of("", "a", "b", "c", "a,b", "b,c");

    private final ObjectReader reader = new ObjectReader();

    @FuzzTest
    void aSelectorSelectsWhatItSays(byte[] bytes) throws Throwable {
        Draws draws = new Draws(bytes);
        Map<String, String> labels = words(draws);
        JsonObject matchLabels = new JsonObject();
        words(draws).forEach(matchLabels::addProperty);
        List<JsonObject> expressions = new ArrayList<>();
        for (int left = draws.below(6); left > 0; left--) {
            expressions.add(expression(draws));
        }
        Cost.isAtMost(20_000, bytes.length, () -> check(labels, matchLabels, expressions));
    }

    private void check(Map<String, String> labels, JsonObject matchLabels, List<JsonObject> expressions) {
        LabelSelector selector;
        try {
            selector = read(matchLabels, expressions);
        } catch (ObjectReadException refused) {
            assertThat(refused.identity()).isPresent();
            assertThat(refused.getMessage())
                    .startsWith("Pod default/p: spec.topologySpreadConstraints[0].labelSelector");
            return;
        }
        assertThat(selector.matches(Labels.of(labels)))
                .isEqualTo(matchLabels.entrySet().stream()
                                .allMatch(
                                        label -> label.getValue().getAsString().equals(labels.get(label.getKey())))
                        && expressions.stream().allMatch(expression -> holds(expression, labels)));
        List<JsonObject> reversed = new ArrayList<>(expressions);
        Collections.reverse(reversed);
        assertThat(read(matchLabels, reversed)).isEqualTo(selector).hasSameHashCodeAs(selector);
    }

    private static boolean holds(JsonObject expression, Map<String, String> labels) {
        String value = labels.get(expression.get("key").getAsString());
        List<String> values = expression.getAsJsonArray("values").asList().stream()
                .map(JsonElement::getAsString)
                .toList();
        return switch (expression.get("operator").getAsString()) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            default -> value == null;
        };
    }

    private LabelSelector read(JsonObject matchLabels, List<JsonObject> expressions) {
        JsonArray list = new JsonArray();
        expressions.forEach(list::add);
        JsonObject selector = new JsonObject();
        selector.add("matchLabels", matchLabels);
        selector.add("matchExpressions", list);
        Pod pod = (Pod)
                reader.read("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{\"topologySpreadConstraints\":"
                        + "[{\"maxSkew\":1,\"topologyKey\":\"zone\",\"whenUnsatisfiable\":\"DoNotSchedule\",\"labelSelector\":"
                        + selector + "}]}}");
        return pod.spec().topologySpread().getFirst().labelSelector();
    }

    private static JsonObject expression(Draws draws) {
        JsonObject expression = new JsonObject();
        expression.addProperty("key", word(draws));
        expression.addProperty("operator", draws.from(OPERATORS));
        JsonArray values = new JsonArray();
        for (int left = draws.below(4); left > 0; left--) {
            values.add(word(draws));
        }
        expression.add("values", values);
        return expression;
    }

    private static Map<String, String> words(Draws draws) {
        Map<String, String> words = new TreeMap<>();
        for (int left = draws.below(4); left > 0; left--) {
            words.put(word(draws), word(draws));
        }
        return words;
    }

    private static String word(Draws draws) {
        return draws.isTrue() ? draws.from(WORDS) : draws.text();
    }
}
