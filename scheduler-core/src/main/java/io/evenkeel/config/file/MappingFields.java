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
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

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

    public Optional<Cursor> get(String name) {
        asked.add(name);
        return Optional.ofNullable(entries.get(name))
                .map(MappingEntries.Entry::value)
                .filter(value -> !value.isNull());
    }

    /** The names of all fields that are there. */
    public Set<String> names() {
        return entries.keySet();
    }

    /** The number of elements of a list; 0 where there is none. */
    public int size(String name) {
        return get(name).map(Cursor::size).orElse(0);
    }

    public boolean has(String name) {
        return get(name).isPresent();
    }

    public String string(String name, String fallback) {
        return get(name).flatMap(Cursor::string).orElse(fallback);
    }

    /** As {@link #string}, with the fallback for an empty string too. */
    public String nonEmpty(String name, String fallback) {
        String value = string(name, fallback);
        return value.isEmpty() ? fallback : value;
    }

    /** A string that must be there and not be empty. */
    public String required(String name) {
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

    public boolean bool(String name, boolean fallback) {
        return get(name).flatMap(Cursor::bool).orElse(fallback);
    }

    public int int32(String name, int fallback, Range range) {
        return optionalInt32(name, range).orElse(fallback);
    }

    public OptionalInt optionalInt32(String name, Range range) {
        return get(name).stream()
                .flatMapToLong(value -> value.integer(range).stream())
                .mapToInt(Math::toIntExact)
                .findFirst();
    }

    public long int64(String name, long fallback, Range range) {
        return get(name).stream()
                .flatMapToLong(value -> value.integer(range).stream())
                .findFirst()
                .orElse(fallback);
    }

    public double number(String name, double fallback) {
        return get(name).stream()
                .flatMapToDouble(value -> value.number().stream())
                .findFirst()
                .orElse(fallback);
    }

    public Duration duration(String name, Duration fallback) {
        return get(name).flatMap(Cursor::duration).orElse(fallback);
    }

    public <T> Optional<T> oneOf(String name, Map<String, T> choices) {
        return get(name).flatMap(value -> value.oneOf(choices));
    }

    public <T> Optional<T> mapping(String name, Function<MappingFields, T> binder) {
        return get(name).flatMap(value -> value.mapping(binder));
    }

    /** The elements that could be read; none where the field is absent. */
    public <T> List<T> list(String name, Function<Cursor, Optional<T>> reader) {
        return get(name).map(value -> value.list(reader)).orElse(List.of());
    }

    public <T> List<T> mappings(String name, Function<MappingFields, T> binder) {
        return list(name, element -> element.mapping(binder));
    }

    /** Logs an error at the field, or at its mapping where it is absent. */
    public void error(String name, String message) {
        Optional.ofNullable(entries.get(name))
                .map(MappingEntries.Entry::value)
                .orElseGet(() -> owner.missing(name))
                .error(message);
    }

    /** Logs an error at the whole mapping. */
    public void error(String message) {
        owner.error(message);
    }

    void reportUnknown() {
        Map<String, MappingEntries.Entry> unknown = new LinkedHashMap<>(entries);
        unknown.keySet().removeAll(asked);
        unknown.forEach((name, entry) ->
                errors.add(entry.place(), entry.value().path(), "unknown field" + NearestName.hint(name, asked)));
    }
}
