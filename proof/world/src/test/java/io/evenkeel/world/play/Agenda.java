package io.evenkeel.world.play;

import java.util.PriorityQueue;

/** What happens when, in simulated nanoseconds. What is due at the same time happens in the order in which it was entered. */
public final class Agenda {
    private record Entry(long at, long order, Runnable what) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
        }
    }

    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private long now;
    private long order;
    private long happened;

    public long now() {
        return now;
    }

    /** How much has happened so far. */
    public long happened() {
        return happened;
    }

    public void at(long time, Runnable what) {
        entries.add(new Entry(Math.max(now, time), order++, what));
    }

    public void after(long nanos, Runnable what) {
        at(now + nanos, what);
    }

    /** Lets the next thing happen; false if there is none until this time, which it is then. */
    public boolean next(long until) {
        Entry next = entries.peek();
        if (next == null || next.at() > until) {
            now = Math.max(now, until);
            return false;
        }
        entries.remove();
        happened++;
        now = next.at();
        next.what().run();
        return true;
    }
}
