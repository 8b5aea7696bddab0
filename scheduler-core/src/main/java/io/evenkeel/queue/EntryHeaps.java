package io.evenkeel.queue;

/** Several heaps, each pod in the one that it says. All of it takes O(log n). */
abstract class EntryHeaps {
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
