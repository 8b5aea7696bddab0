package io.evenkeel.kube.dispatch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/**
 * The events that wait, oldest first. When full it drops the oldest: what is new is what users look for. Events about one
 * object are taken one after the other. Taking is linear in the events that are held up. Not thread-safe.
 */
final class EventBacklog {
    private final int capacity;
    private final Deque<Job> waiting = new ArrayDeque<>();
    private final Set<String> busy = new HashSet<>();

    EventBacklog(int capacity) {
        this.capacity = capacity;
    }

    /** Adds the job; returns the one that is dropped for it. */
    Optional<Job> add(Job job) {
        Optional<Job> dropped = waiting.size() < capacity ? Optional.empty() : Optional.of(waiting.removeFirst());
        waiting.addLast(job);
        return dropped;
    }

    Optional<Job> take(long now) {
        Set<String> passed = new HashSet<>();
        for (Iterator<Job> jobs = waiting.iterator(); jobs.hasNext(); ) {
            Job job = jobs.next();
            String key = job.work().key();
            if (!busy.contains(key) && !passed.contains(key)) {
                if (job.notBefore() - now <= 0) {
                    jobs.remove();
                    busy.add(key);
                    job.startsAfter(now - job.notBefore());
                    return Optional.of(job);
                }
                passed.add(key);
            }
        }
        return Optional.empty();
    }

    /** Nanoseconds until one may be taken if nothing changes; {@link Long#MAX_VALUE} if that will not do. */
    long nanosUntilReady(long now) {
        long nanos = Long.MAX_VALUE;
        Set<String> passed = new HashSet<>();
        for (Job job : waiting) {
            String key = job.work().key();
            if (!busy.contains(key) && passed.add(key)) {
                nanos = Math.min(nanos, Math.max(0, job.notBefore() - now));
                if (nanos == 0) {
                    break;
                }
            }
        }
        return nanos;
    }

    void done(Job job) {
        busy.remove(job.work().key());
    }

    /** The job that was taken is to be tried again; false if there is no room for it any more. */
    boolean putBack(Job job) {
        busy.remove(job.work().key());
        if (waiting.size() >= capacity) {
            return false;
        }
        waiting.addFirst(job);
        return true;
    }

    int size() {
        return waiting.size();
    }

    boolean isEmpty() {
        return waiting.isEmpty() && busy.isEmpty();
    }
}
