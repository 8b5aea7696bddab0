package io.evenkeel.app.record;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Some of what the engine took in and said, as references: the engine's thread fills it, the writer's thread reads it. */
final class Batch {
    static final int MOST = 4096;

    /** What an element of a batch is. */
    enum Sort {
        EVENT,
        TICKING,
        PLACING,
        TIME,
        COMMAND,
        NOT_SENT,
        /** All objects there are, after something that was not recorded. */
        CHECKPOINT,
        /** The engine takes nothing any more. */
        END
    }

    private final Sort[] sorts = new Sort[MOST];
    private final long[] numbers = new long[MOST];
    private final @Nullable Object[] references = new @Nullable Object[MOST];
    private int size;
    private long events;

    void add(Sort sort) {
        sorts[size++] = sort;
    }

    void addTime(long nanos) {
        numbers[size] = nanos;
        sorts[size++] = Sort.TIME;
    }

    void add(Sort sort, Object reference) {
        references[size] = reference;
        sorts[size++] = sort;
        if (sort == Sort.EVENT) {
            events++;
        }
    }

    boolean isFull() {
        return size == MOST;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** How many events are in it. */
    long events() {
        return events;
    }

    Sort sort(int at) {
        return sorts[at];
    }

    long number(int at) {
        return numbers[at];
    }

    /** What was handed over at this place. */
    Object reference(int at) {
        Object reference = references[at];
        if (reference == null) {
            throw new IllegalStateException("nothing was handed over at " + at);
        }
        return reference;
    }

    /** To be filled anew, and holding on to nothing. */
    void clear() {
        Arrays.fill(references, 0, size, null);
        size = 0;
        events = 0;
    }
}
