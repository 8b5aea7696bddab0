package io.evenkeel.queue;

import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap of entries that know their index: the first is found at once; adding, removing any entry and
 * putting one in order again that has changed take O(log n). Entries that compare equal come out in the order of their
 * sequence numbers, so that the order is total and the same in every run.
 */
final class EntryHeap {
    static final int NOWHERE = -1;

    private final Comparator<QueueEntry> order;
    private @Nullable QueueEntry[] entries = new QueueEntry[64];
    private int size;

    EntryHeap(Comparator<QueueEntry> order) {
        this.order = order.thenComparingLong(entry -> entry.sequence);
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    QueueEntry first() {
        return at(0);
    }

    void add(QueueEntry entry) {
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, size * 2);
        }
        moveUp(size++, entry);
    }

    void remove(QueueEntry entry) {
        int index = entry.heapIndex;
        entry.heapIndex = NOWHERE;
        QueueEntry last = at(--size);
        entries[size] = null;
        if (index < size) {
            place(index, last);
        }
    }

    /** To be called after something changed that the order depends on. */
    void reorder(QueueEntry entry) {
        place(entry.heapIndex, entry);
    }

    private void place(int index, QueueEntry entry) {
        if (index > 0 && order.compare(entry, at((index - 1) / 2)) < 0) {
            moveUp(index, entry);
        } else {
            moveDown(index, entry);
        }
    }

    private void moveUp(int from, QueueEntry entry) {
        int index = from;
        while (index > 0) {
            QueueEntry parent = at((index - 1) / 2);
            if (order.compare(entry, parent) >= 0) {
                break;
            }
            set(index, parent);
            index = (index - 1) / 2;
        }
        set(index, entry);
    }

    private void moveDown(int from, QueueEntry entry) {
        int index = from;
        for (int child = 2 * index + 1; child < size; child = 2 * index + 1) {
            if (child + 1 < size && order.compare(at(child + 1), at(child)) < 0) {
                child++;
            }
            if (order.compare(entry, at(child)) <= 0) {
                break;
            }
            set(index, at(child));
            index = child;
        }
        set(index, entry);
    }

    private void set(int index, QueueEntry entry) {
        entries[index] = entry;
        entry.heapIndex = index;
    }

    private QueueEntry at(int index) {
        QueueEntry entry = entries[index];
        if (entry == null) {
            throw new IllegalStateException("no entry at " + index + " of " + size);
        }
        return entry;
    }

    /** Several heaps, each pod in the one that it says. All of it takes O(log n). */
    abstract static class EntryHeaps {
        /** Where the pod is, or belongs. */
        abstract EntryHeap heapOf(QueueEntry entry);

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
    }
}
