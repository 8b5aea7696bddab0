package io.evenkeel.app.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A number that one thread changes and any thread reads. Where several change it they use {@link #addShared}. */
public final class Count {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Count.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // read and written by its handle
    private long value;

    public void increment() {
        add(1);
    }

    public void add(long more) {
        VALUE.setOpaque(this, (long) VALUE.getOpaque(this) + more);
    }

    public void addShared(long more) {
        VALUE.getAndAdd(this, more);
    }

    public long get() {
        return (long) VALUE.getOpaque(this);
    }
}
