package io.evenkeel.app.record;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Some of what the engine took in and said, as references: the engine's thread fills it, the writer's thread reads it. */
final class Batch {
    static final int MOST = 2048;

    /** The sort of a batch's element. */
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
    private final long[] times = new long[MOST];
    private final @Nullable Object[] references = new @Nullable Object[MOST];
    private int size;
    private int timesKnown;
    private int referencesKnown;
    private int timesRead;
    private int referencesRead;
    private long events;

    void add(Sort sort) {
        sorts[size++] = sort;
    }

    void addTime(long nanos) {
        times[timesKnown++] = nanos;
        add(Sort.TIME);
    }

    void add(Sort sort, Object reference) {
        references[referencesKnown++] = reference;
        add(sort);
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

    /** The first reading of the clock that was not asked for yet, which stays so. */
    long time() {
        return times[timesRead];
    }

    /** The next reading of the clock, in the order in which they were added. */
    long nextTime() {
        return times[timesRead++];
    }

    /** The next of what was handed over, in that order. */
    Object nextReference() {
        Object reference = references[referencesRead++];
        if (reference == null) {
            throw new IllegalStateException("nothing more was handed over");
        }
        return reference;
    }

    /** Clears it to be filled again, and holds on to nothing. */
    void clear() {
        Arrays.fill(references, 0, referencesKnown, null);
        size = 0;
        timesKnown = 0;
        referencesKnown = 0;
        timesRead = 0;
        referencesRead = 0;
        events = 0;
    }
}
