package io.evenkeel.api;

/**
 * Under which a plugin keeps something for the length of a cycle. Each plugin makes its own; identity counts.
 *
 * @since 0.1
 */
public final class StateKey<T> {
    private final String name;
    private final Class<T> type;

    public StateKey(String name, Class<T> type) {
        this.name = name;
        this.type = type;
    }

    T cast(Object value) {
        return type.cast(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
