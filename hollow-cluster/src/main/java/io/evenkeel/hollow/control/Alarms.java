package io.evenkeel.hollow.control;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Actions to be done at a time, earliest first. Guarded by the loop's lock. */
final class Alarms {

    private final PriorityQueue<Alarm> queue =
            new PriorityQueue<>(Comparator.comparingLong(Alarm::due).thenComparingLong(Alarm::number));
    private long numbered;
    private int awaited;

    void set(long due, boolean awaitedToo, Runnable action) {
        queue.add(new Alarm(due, numbered++, awaitedToo, action));
        awaited += awaitedToo ? 1 : 0;
    }

    /** Whether one of these counts as work that is not done yet. */
    boolean awaited() {
        return awaited > 0;
    }

    List<Runnable> takeDue(long now) {
        List<Runnable> due = new ArrayList<>();
        for (Alarm first = queue.peek(); first != null && first.due <= now; first = queue.peek()) {
            queue.remove();
            awaited -= first.awaited ? 1 : 0;
            due.add(first.action);
        }
        return due;
    }

    long nanosToNext(long now) {
        Alarm first = queue.peek();
        return first == null ? Long.MAX_VALUE : Math.max(first.due - now, 0);
    }

    private record Alarm(long due, long number, boolean awaited, Runnable action) {}
}
