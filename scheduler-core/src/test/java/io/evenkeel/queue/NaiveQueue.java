package io.evenkeel.queue;

import io.evenkeel.model.Pod;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** What the queue is to do, with a list and loops; times in nanoseconds, the settings those of {@link QueueHarness}. */
final class NaiveQueue {
    private static final long SECOND = 1_000_000_000L;

    static final class Entry {
        Pod pod;
        QueueState state = QueueState.ACTIVE;
        long since;
        long order;
        long dueAt;
        int attempts;
        int rejections;
        int errors;
        /** The hints of what has changed since the pod was taken out. */
        final List<BiPredicate<String, Pod>> missed = new ArrayList<>();

        RejectedBy by = RejectedBy.NONE;

        Entry(Pod pod, long now) {
            this.pod = pod;
            this.since = now;
        }
    }

    final Map<String, Entry> entries = new LinkedHashMap<>();
    private long order;

    void add(Pod pod, long now) {
        Entry known = entries.get(pod.key());
        if (known != null && known.pod.meta().uid().equals(pod.meta().uid())) {
            return;
        }
        entries.remove(pod.key());
        Entry entry = new Entry(pod, now);
        entries.put(pod.key(), entry);
        release(entry, false, now);
    }

    void update(Pod pod, long now, Predicate<String> hint) {
        Entry entry = entries.get(pod.key());
        boolean labelled = !entry.pod.labels().equals(pod.labels());
        entry.pod = pod;
        if (entry.state == QueueState.GATED && !isGated(entry)) {
            release(entry, false, now);
        } else if (labelled) {
            tell(entry, now, (plugin, some) -> hint.test(plugin));
        }
    }

    Optional<String> pop(long now) {
        Comparator<Entry> turn = Comparator.<Entry>comparingInt(
                        entry -> -entry.pod.spec().priority())
                .thenComparingLong(entry -> entry.since)
                .thenComparingLong(entry -> entry.order);
        Optional<Entry> next = entries.values().stream()
                .filter(entry -> entry.state == QueueState.ACTIVE)
                .min(turn)
                .or(() -> entries.values().stream()
                        .filter(entry -> entry.state == QueueState.BACKOFF)
                        .min(Comparator.<Entry>comparingLong(entry -> entry.dueAt)
                                .thenComparing(turn)));
        next.ifPresent(entry -> {
            entry.state = QueueState.IN_FLIGHT;
            entry.attempts++;
            entry.missed.clear();
        });
        return next.map(entry -> entry.pod.key());
    }

    void rejected(String key, RejectedBy by, long now) {
        Entry entry = entries.get(key);
        if (by.equals(RejectedBy.NONE)) {
            failed(key, now);
            return;
        }
        entry.rejections++;
        entry.errors = 0;
        entry.by = by;
        entry.since = now;
        entry.state = QueueState.UNSCHEDULABLE;
        entry.dueAt = now + 300 * SECOND;
        entry.order = order++;
        wake(entry, now, (plugin, pod) -> entry.missed.stream().anyMatch(hint -> hint.test(plugin, pod)));
    }

    void failed(String key, long now) {
        Entry entry = entries.get(key);
        entry.errors++;
        entry.since = now;
        release(entry, false, now);
    }

    void changed(long now, BiPredicate<String, Pod> hint) {
        entries.values().stream()
                .sorted(Comparator.comparingLong(entry -> entry.order))
                .forEach(entry -> tell(entry, now, hint));
    }

    void activate(String key, long now) {
        Entry entry = entries.get(key);
        if (entry != null && entry.state != QueueState.IN_FLIGHT && entry.state != QueueState.ACTIVE) {
            release(entry, true, now);
        }
    }

    void tick(long now) {
        for (Entry entry : entries.values()) {
            boolean isBackoff = entry.state == QueueState.BACKOFF || entry.state == QueueState.ERROR_BACKOFF;
            if (isBackoff && entry.dueAt <= now) {
                entry.order = order++;
                entry.state = QueueState.ACTIVE;
            } else if (entry.state == QueueState.UNSCHEDULABLE && entry.dueAt <= now) {
                release(entry, false, now);
            }
        }
    }

    Map<String, String> states() {
        Map<String, String> states = new TreeMap<>();
        entries.forEach((key, entry) -> states.put(key, entry.state + " after " + entry.attempts));
        return states;
    }

    private void tell(Entry entry, long now, BiPredicate<String, Pod> hint) {
        if (entry.state == QueueState.IN_FLIGHT) {
            entry.missed.add(hint);
        } else {
            wake(entry, now, hint);
        }
    }

    private void wake(Entry entry, long now, BiPredicate<String, Pod> hint) {
        if (entry.state != QueueState.UNSCHEDULABLE) {
            return;
        }
        boolean atOnce = saysYes(entry.by.pendingPlugins(), entry.pod, hint);
        if (atOnce || saysYes(entry.by.plugins(), entry.pod, hint)) {
            release(entry, atOnce, now);
        }
    }

    /** By one plugin or the other; who of them was asked last must make no difference. */
    private static boolean isGated(Entry entry) {
        return !entry.pod.spec().schedulingGates().isEmpty() || QueueHarness.isHeld(entry.pod);
    }

    private static boolean saysYes(Set<String> plugins, Pod pod, BiPredicate<String, Pod> hint) {
        return plugins.stream().anyMatch(plugin -> hint.test(plugin, pod));
    }

    private void release(Entry entry, boolean atOnce, long now) {
        int failures = entry.errors > 0 ? entry.errors : entry.rejections;
        long full = entry.since + Math.min(10, 1L << Math.clamp(failures - 1, 0, 4)) * SECOND;
        long end = failures == 0 ? entry.since : full - full % SECOND + SECOND;
        entry.order = order++;
        if (isGated(entry)) {
            entry.state = QueueState.GATED;
        } else if (atOnce || end <= now) {
            entry.state = QueueState.ACTIVE;
        } else {
            entry.state = entry.errors > 0 ? QueueState.ERROR_BACKOFF : QueueState.BACKOFF;
            entry.dueAt = end;
        }
    }
}
