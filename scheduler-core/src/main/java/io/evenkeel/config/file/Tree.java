package io.evenkeel.config.file;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A mapping in the making, in the order in which it is written. Empty values are left out on request. */
final class Tree {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    Tree put(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    Tree put(String name, Duration duration) {
        return put(name, GoDuration.format(duration));
    }

    Tree put(String name, Tree tree) {
        return put(name, tree.fields);
    }

    <T> Tree put(String name, Collection<T> elements, Function<T, Tree> writer) {
        List<Map<String, Object>> list =
                elements.stream().map(writer).map(tree -> tree.fields).toList();
        return list.isEmpty() ? this : put(name, list);
    }

    Tree putPresent(String name, Optional<Tree> tree) {
        tree.ifPresent(present -> put(name, present));
        return this;
    }

    Tree putNonEmpty(String name, String text) {
        return text.isEmpty() ? this : put(name, text);
    }

    Tree putNonEmpty(String name, List<String> texts) {
        return texts.isEmpty() ? this : put(name, texts);
    }

    Map<String, Object> fields() {
        return fields;
    }
}
