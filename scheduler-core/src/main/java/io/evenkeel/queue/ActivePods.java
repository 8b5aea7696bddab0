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
 * <p>Pods of gangs, whose turns may take long, are kept apart too, so that others can be taken in between.
 *
 * <p>add, remove and reorder take O(log n), the first is found at once.
 */
final class ActivePods {
    private final Comparator<QueueEntry> order;
    private final EntryHeap free;
    private final EntryHeap withExtenders;
    private final EntryHeap ofGangs;

    /** @param turn the order in which they are taken */
    ActivePods(Comparator<QueueEntry> turn) {
        order = turn.thenComparingLong(entry -> entry.sequence);
        free = new EntryHeap(turn);
        withExtenders = new EntryHeap(turn);
        ofGangs = new EntryHeap(turn);
    }

    /** @param gangsGiveWay whether pods of gangs, as far as they are known as such, come after all others */
    Optional<QueueEntry> first(boolean extendersAreFree, boolean gangsGiveWay) {
        EntryHeap first = extendersAreFree ? earlier(free, withExtenders) : free;
        if (!gangsGiveWay || first.isEmpty()) {
            first = earlier(first, ofGangs);
        }
        return first.isEmpty() ? Optional.empty() : Optional.of(first.first());
    }

    private EntryHeap earlier(EntryHeap one, EntryHeap other) {
        boolean isOther = !other.isEmpty() && (one.isEmpty() || order.compare(other.first(), one.first()) < 0);
        return isOther ? other : one;
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
        return free.size() + withExtenders.size() + ofGangs.size();
    }

    /** How many of them extenders have a say in. */
    int countWithExtenders() {
        return withExtenders.size();
    }

    private EntryHeap heapOf(QueueEntry entry) {
        if (entry.needsExtenders) {
            return withExtenders;
        }
        return entry.isOfGang ? ofGangs : free;
    }
}
