package io.evenkeel.api;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values that plugins hand on from one extension point to the next while one pod is scheduled. A dozen entries at most, so it
 * is searched from the front; reset for the next pod rather than made again.
 *
 * @since 0.1
 */
public final class CycleState {
    private static final StateKey<?>[] NO_KEYS = {};
    private static final Object[] NO_VALUES = {};

    private @Nullable StateKey<?>[] keys;
    private @Nullable Object[] values;
    private int size;

    public CycleState() {
        this(new StateKey<?>[16], new Object[16], 0);
    }

    private CycleState(@Nullable StateKey<?>[] keys, @Nullable Object[] values, int size) {
        this.keys = keys;
        this.values = values;
        this.size = size;
    }

    /** Starts empty; the caller runs the plugins for one pod after the other. */
    public static Writer create() {
        return new CycleState().new Writer();
    }

    public <T> void put(StateKey<T> key, T value) {
        int index = indexOf(key);
        if (index < 0) {
            if (size == keys.length) {
                keys = Arrays.copyOf(keys, size * 2 + 2);
                values = Arrays.copyOf(values, size * 2 + 2);
            }
            index = size++;
            keys[index] = key;
        }
        values[index] = value;
    }

    /** Returns the value that the same plugin has put; asking for one never put is a mistake of the plugin. */
    public <T> T get(StateKey<T> key) {
        int index = indexOf(key);
        if (index < 0) {
            throw new IllegalStateException("nothing was put under " + key + " in this cycle");
        }
        return valueAt(index, key);
    }

    public <T> Optional<T> find(StateKey<T> key) {
        int index = indexOf(key);
        return index < 0 ? Optional.empty() : Optional.of(valueAt(index, key));
    }

    public CycleState copy() {
        return size == 0
                ? new CycleState(NO_KEYS, NO_VALUES, 0)
                : new CycleState(Arrays.copyOf(keys, size), Arrays.copyOf(values, size), size);
    }

    /** Forgets the pod before; made with the state, and not to be had from it. */
    public final class Writer {
        private Writer() {}

        public CycleState state() {
            return CycleState.this;
        }

        /** The next pod's cycle begins. */
        public void reset() {
            Arrays.fill(keys, 0, size, null);
            Arrays.fill(values, 0, size, null);
            size = 0;
        }
    }

    private <T> T valueAt(int index, StateKey<T> key) {
        Object value = values[index];
        if (value == null) {
            throw new IllegalStateException("no value at " + index);
        }
        return key.cast(value);
    }

    private int indexOf(StateKey<?> key) {
        for (int i = 0; i < size; i++) {
            if (keys[i] == key) {
                return i;
            }
        }
        return -1;
    }
}
