package io.evenkeel.model.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TreeTest {
    @Test
    void valuesAreWrittenByWhatTheyAre() {
        Tree tree = new Tree()
                .put("text", "a \"b\"")
                .put("number", 7L)
                .put("share", 0.5)
                .put("truth", true)
                .put("nothing", null)
                .put("raw", new Tree.Raw("{\"a\":[1]}"))
                .put("file", Path.of("a/b"))
                .putPresent("absent", Optional.empty())
                .putNonEmpty("empty", List.of());
        assertThat(tree.json())
                .isEqualTo("{\"text\":\"a \\\"b\\\"\",\"number\":7,\"share\":0.5,\"truth\":true,\"nothing\":null,"
                        + "\"raw\":{\"a\":[1]},\"file\":\"a/b\"}");
    }

    @Test
    void treesInMapsAndListsAreObjects() {
        Tree inner = new Tree().put("a", 1);
        Tree tree = new Tree()
                .put("map", Map.of("x", inner))
                .put("list", Arrays.asList(inner, null))
                .put("deep", Map.of("y", List.of(Map.of("z", inner))));
        assertThat(tree.json())
                .isEqualTo(
                        "{\"map\":{\"x\":{\"a\":1}},\"list\":[{\"a\":1},null],\"deep\":{\"y\":[{\"z\":{\"a\":1}}]}}");
        assertThat(tree.fields()).containsEntry("map", Map.of("x", Map.of("a", 1)));
    }
}
