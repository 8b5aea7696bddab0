package io.evenkeel.queue;

import io.evenkeel.queue.EntryHeap.EntryHeaps;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The pods still in backoff: pods that were turned away, and apart from them pods that sit it out to its
 * end, as they met an error or were woken by nothing that happened in the cluster.
 *
 * <p>A backoff ends with the second of the clock in which its time is up, so the pods of one such window come out
 * together. Within a window they are in the order of the queue's sort: which of them failed a moment earlier does not
 * matter, their priorities do. Where no pod is taken out early ({@link QueueSettings#popsFromBackoff}), each ends by itself.
 *
 * <pre>
 *   first backoff 1 s, doubling; the windows end at whole seconds
 *
 *   pod  priority  failed at  times  backoff  time is up  ends at
 *   a    0         3.2        1      1 s      4.2         5        second, although it failed first
 *   b    9         3.9        1      1 s      4.9         5        first of its window
 *   c    9         3.9        3      4 s      7.9         8
 * </pre>
 *
 * <p>add, remove and reorder take O(log n), everything else is found at once.
 */
final class BackoffQueue extends EntryHeaps {
    private static final long WINDOW = TimeUnit.SECONDS.toNanos(1);

    private final QueueSettings settings;
    private final EntryHeap mayBeEarly;
    private final EntryHeap sittingOut;

    BackoffQueue(QueueSettings settings, Comparator<QueueEntry> turn) {
        this.settings = settings;
        Comparator<QueueEntry> byWindow =
                Comparator.<QueueEntry>comparingLong(entry -> entry.dueAt).thenComparing(turn);
        this.mayBeEarly = new EntryHeap(byWindow);
        this.sittingOut = new EntryHeap(byWindow);
    }

    /** When the backoff ends that began when the pod returned; that moment itself where there is none. */
    long endOf(QueueEntry entry) {
        long began = entry.queued.queuedAtNanos();
        int failures = entry.consecutiveErrors > 0 ? entry.consecutiveErrors : entry.rejections;
        if (failures == 0 || settings.maxBackoff().isZero()) {
            return began;
        }
        long end = began + settings.backoffNanos(failures);
        return settings.popsFromBackoff() ? (Math.floorDiv(end, WINDOW) + 1) * WINDOW : end;
    }

    /** The pod sits its backoff out, or may be taken early. */
    void refile(QueueEntry entry, boolean sitsOut) {
        remove(entry);
        entry.sitsOut = sitsOut;
        add(entry);
    }

    /** Returns the next pod where no other is active. */
    Optional<QueueEntry> firstEarly() {
        return mayBeEarly.isEmpty() ? Optional.empty() : Optional.of(mayBeEarly.first());
    }

    /** Returns a pod that has served its backoff. */
    Optional<QueueEntry> firstDue(long now) {
        return Stream.of(mayBeEarly, sittingOut)
                .filter(heap -> !heap.isEmpty() && heap.first().dueAt <= now)
                .map(EntryHeap::first)
                .findFirst();
    }

    OptionalLong nextEnd() {
        return Stream.of(mayBeEarly, sittingOut)
                .filter(heap -> !heap.isEmpty())
                .mapToLong(heap -> heap.first().dueAt)
                .min();
    }

    int size() {
        return mayBeEarly.size() + sittingOut.size();
    }

    @Override
    EntryHeap heapOf(QueueEntry entry) {
        return entry.sitsOut || entry.state == QueueState.ERROR_BACKOFF ? sittingOut : mayBeEarly;
    }
}
