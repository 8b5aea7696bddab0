package io.evenkeel.queue;

import java.util.Comparator;
import java.util.Optional;

/**
 * The pods that may be tried now, in the order of the queue's sort. Those that extenders have a say in are kept apart, so
 * that the others can be taken while these wait for the one that is at the extenders. For example:
 *
 * <pre>
 *   pod  priority  needs extenders      first, where these are free   and where they are busy
 *   a    9         yes                  a                             c
 *   b    7         yes
 *   c    5         no
 * </pre>
 *
 * <p>add, remove and reorder take O(log n), the first is found at once.
 */
final class ActivePods {
    private final Comparator<QueueEntry> order;
    private final EntryHeap free;
    private final EntryHeap withExtenders;

    /** @param turn the order in which they are taken */
    ActivePods(Comparator<QueueEntry> turn) {
        order = turn.thenComparingLong(entry -> entry.sequence);
        free = new EntryHeap(turn);
        withExtenders = new EntryHeap(turn);
    }

    Optional<QueueEntry> first(boolean extendersAreFree) {
        if (withExtenders.isEmpty() || !extendersAreFree) {
            return free.isEmpty() ? Optional.empty() : Optional.of(free.first());
        }
        boolean isAhead = free.isEmpty() || order.compare(withExtenders.first(), free.first()) < 0;
        return Optional.of(isAhead ? withExtenders.first() : free.first());
    }

    void add(QueueEntry entry) {
        heapOf(entry).add(entry);
    }

    void remove(QueueEntry entry) {
        heapOf(entry).remove(entry);
    }

    /** To be called after something changed that the order depends on. */
    void reorder(QueueEntry entry) {
        heapOf(entry).reorder(entry);
    }

    int size() {
        return free.size() + withExtenders.size();
    }

    /** How many of them extenders have a say in. */
    int countWithExtenders() {
        return withExtenders.size();
    }

    private EntryHeap heapOf(QueueEntry entry) {
        return entry.needsExtenders ? withExtenders : free;
    }
}
