package io.evenkeel.config.file;

import io.evenkeel.problem.NearestName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The fields of a mapping. A field that is null counts as absent. Names that have been asked for are remembered:
 * the rest is reported as unknown, with the nearest name that would have been understood.
 */
public final class MappingFields {
    private final Cursor owner;
    private final Map<String, MappingEntries.Entry> entries;
    private final ErrorLog errors;
    private final Set<String> asked = new LinkedHashSet<>();

    private MappingFields(Cursor owner, Map<String, MappingEntries.Entry> entries, ErrorLog errors) {
        this.owner = owner;
        this.entries = entries;
        this.errors = errors;
    }

    static Optional<MappingFields> of(Cursor owner, Node node, ErrorLog errors) {
        return node instanceof MappingNode mapping
                ? Optional.of(new MappingFields(owner, MappingEntries.of(owner, mapping, errors), errors))
                : Optional.empty();
    }

    Optional<Cursor> get(String name) {
        asked.add(name);
        return Optional.ofNullable(entries.get(name))
                .map(MappingEntries.Entry::value)
                .filter(value -> !value.isNull());
    }

    public Set<String> names() {
        return entries.keySet();
    }

    /** The number of elements of a list; 0 where there is none. */
    int size(String name) {
        return get(name).map(Cursor::size).orElse(0);
    }

    boolean has(String name) {
        return get(name).isPresent();
    }

    public String string(String name, String fallback) {
        return get(name).flatMap(Cursor::string).orElse(fallback);
    }

    /** As {@link #string}, with the fallback for an empty string too. */
    String nonEmpty(String name, String fallback) {
        String value = string(name, fallback);
        return value.isEmpty() ? fallback : value;
    }

    /** A string that must be there and not be empty. */
    String required(String name) {
        Optional<Cursor> value = get(name);
        if (value.isEmpty()) {
            error(name, "is required");
        }
        Optional<String> text = value.flatMap(Cursor::string);
        if (text.isPresent() && text.get().isEmpty()) {
            error(name, "must not be empty");
        }
        return text.orElse("");
    }

    boolean bool(String name, boolean fallback) {
        return get(name).flatMap(Cursor::bool).orElse(fallback);
    }

    int int32(String name, int fallback, Range range) {
        return optionalInt32(name, range).orElse(fallback);
    }

    OptionalInt optionalInt32(String name, Range range) {
        return get(name).stream()
                .flatMapToLong(value -> value.integer(range).stream())
                .mapToInt(Math::toIntExact)
                .findFirst();
    }

    long int64(String name, long fallback, Range range) {
        return get(name).stream()
                .flatMapToLong(value -> value.integer(range).stream())
                .findFirst()
                .orElse(fallback);
    }

    double number(String name, double fallback) {
        return get(name).stream()
                .flatMapToDouble(value -> value.number().stream())
                .findFirst()
                .orElse(fallback);
    }

    Duration duration(String name, Duration fallback) {
        return get(name).flatMap(Cursor::duration).orElse(fallback);
    }

    <T> Optional<T> oneOf(String name, Map<String, T> choices) {
        return get(name).flatMap(value -> value.oneOf(choices));
    }

    public <T> Optional<T> mapping(String name, Function<MappingFields, T> binder) {
        return get(name).flatMap(value -> value.mapping(binder));
    }

    /** The elements that could be read; none where the field is absent. */
    <T> List<T> list(String name, Function<Cursor, Optional<T>> reader) {
        return get(name).map(value -> value.list(reader)).orElse(List.of());
    }

    <T> List<T> mappings(String name, Function<MappingFields, T> binder) {
        return list(name, element -> element.mapping(binder));
    }

    /** Logs an error at the field, or at its mapping where it is absent. */
    public void error(String name, String message) {
        Optional.ofNullable(entries.get(name))
                .map(MappingEntries.Entry::value)
                .orElseGet(() -> owner.missing(name))
                .error(message);
    }

    void error(String message) {
        owner.error(message);
    }

    void reportUnknown() {
        Map<String, MappingEntries.Entry> unknown = new LinkedHashMap<>(entries);
        unknown.keySet().removeAll(asked);
        unknown.forEach((name, entry) ->
                errors.add(entry.place(), entry.value().path(), "unknown field" + NearestName.hint(name, asked)));
    }

    /** A mapping's entries by key: duplicates are logged, and what {@code <<} merges in is added. */
    record MappingEntries(Cursor owner, ErrorLog errors) {
        /** Merges can be nested, and by an alias a mapping can be merged into itself. */
        private static final int DEPTH_LIMIT = 50;

        /** A value and the place of its key. */
        record Entry(Optional<Mark> place, Cursor value) {}

        static Map<String, Entry> of(Cursor owner, MappingNode mapping, ErrorLog errors) {
            return new MappingEntries(owner, errors).entriesOf(mapping, 0);
        }

        private Map<String, Entry> entriesOf(MappingNode mapping, int depth) {
            Map<String, Entry> entries = new LinkedHashMap<>();
            Map<String, Entry> merged = new LinkedHashMap<>();
            for (NodeTuple tuple : mapping.getValue()) {
                Optional<Mark> place = Optional.ofNullable(tuple.getKeyNode().getStartMark());
                if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                    errors.add(place, owner.path(), "a key must be a scalar");
                } else if (Tag.MERGE.equals(key.getTag())) {
                    merge(tuple.getValueNode(), depth, merged);
                } else {
                    Cursor value = owner.child(key.getValue(), tuple.getValueNode());
                    Entry first = entries.putIfAbsent(key.getValue(), new Entry(place, value));
                    if (first != null) {
                        int line = first.place().map(Mark::getLine).orElse(0) + 1;
                        errors.add(place, value.path(), "is given twice, first in line " + line);
                    }
                }
            }
            merged.forEach(entries::putIfAbsent);
            return entries;
        }

        private void merge(Node source, int depth, Map<String, Entry> merged) {
            List<Node> sources = source instanceof SequenceNode sequence ? sequence.getValue() : List.of(source);
            for (Node each : sources) {
                if (each instanceof MappingNode mapping && depth < DEPTH_LIMIT) {
                    entriesOf(mapping, depth + 1).forEach(merged::putIfAbsent);
                } else {
                    errors.add(
                            Optional.ofNullable(source.getStartMark()),
                            owner.path(),
                            "<< must be given a mapping or a list of mappings");
                }
            }
        }
    }
}
