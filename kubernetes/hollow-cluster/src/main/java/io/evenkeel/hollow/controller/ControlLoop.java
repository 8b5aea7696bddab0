package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs controllers on one thread, in rounds: take all changes since the last round, let each controller name the objects
 * concerned, then look at each of them once. So a thousand changes to one object's pods cost one look, and the same changes
 * lead to the same writes. Each look sees what was written before it, by an earlier one of the same round, too.
 *
 * <p>Lock order: the store's, then this one's; no round runs under either.
 */
final class ControlLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);
    private static final int MOST_DOUBLINGS = 6;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stirred = lock.newCondition();
    private final Condition settled = lock.newCondition();
    private final Alarms alarms = new Alarms();
    private final Observed observed = new Observed();
    private final Thread thread;
    private List<Controller> controllers = List.of();
    private final List<Change> inbox = new ArrayList<>();
    /** Changes that are observed, and not yet shown to the controllers. Only the loop's thread uses it. */
    private List<Change> observedEarly = new ArrayList<>();

    /** The looks that failed and are tried again, and how often in a row they did. Only the loop's thread uses it. */
    private final Map<Look, Integer> failures = new HashMap<>();

    private boolean working;
    private boolean closed;

    ControlLoop() {
        thread = Thread.ofPlatform().daemon().name("hollow-controllers").unstarted(this::run);
    }

    /** The objects that controllers may look at while they run. */
    Observed observed() {
        return observed;
    }

    /** Starts the controllers; each looks at what is there already. */
    void start(Store store, List<Controller> all) {
        controllers = List.copyOf(all);
        store.observe(this::take);
        thread.start();
    }

    /** Does something once, after a delay, on the thread of the controllers. */
    void in(Duration delay, Runnable action) {
        set(delay, true, action);
    }

    /** As {@link #in}, but waiting for the controllers to settle does not include it. */
    void asideIn(Duration delay, Runnable action) {
        set(delay, false, action);
    }

    /** Does it again and again; waiting for the controllers to settle does not include these. */
    void every(Duration interval, Runnable action) {
        asideIn(interval, () -> {
            action.run();
            every(interval, action);
        });
    }

    /** Waits until nothing is left to do: no change unseen, no action awaited. */
    void settle() throws InterruptedException {
        lock.lock();
        try {
            while (!closed && (working || !inbox.isEmpty() || alarms.awaited())) {
                settled.await();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        locked(() -> {
            closed = true;
            stirred.signalAll();
            settled.signalAll();
        });
    }

    private void take(Change change) {
        locked(() -> {
            inbox.add(change);
            stirred.signal();
        });
    }

    private void set(Duration delay, boolean awaited, Runnable action) {
        locked(() -> {
            alarms.set(System.nanoTime() + delay.toNanos(), awaited, action);
            stirred.signal();
        });
    }

    private void run() {
        try {
            for (Work work = next(); !work.isEmpty(); work = next()) {
                round(work);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for work; there is none once the loop is closed. */
    private Work next() throws InterruptedException {
        lock.lock();
        try {
            working = false;
            List<Runnable> due = alarms.takeDue(System.nanoTime());
            while (!closed && inbox.isEmpty() && observedEarly.isEmpty() && due.isEmpty()) {
                settled.signalAll();
                stirred.awaitNanos(alarms.nanosToNext(System.nanoTime()));
                due = alarms.takeDue(System.nanoTime());
            }
            if (closed) {
                return new Work(List.of(), List.of());
            }
            working = true;
            observe();
            List<Change> changes = observedEarly;
            observedEarly = new ArrayList<>();
            return new Work(changes, due);
        } finally {
            lock.unlock();
        }
    }

    private void observe() {
        locked(() -> {
            inbox.forEach(observed::apply);
            observedEarly.addAll(inbox);
            inbox.clear();
        });
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    private void round(Work work) {
        work.due.forEach(action -> attempt(action, "a delayed action"));
        for (Controller controller : controllers) {
            Set<ObjectKey> keys = new LinkedHashSet<>();
            // one that stumbles over an object goes on with the others
            work.changes.forEach(change -> attempt(
                    () -> controller.forEachConcerned(change, keys::add),
                    change.object().key().toString()));
            keys.forEach(key -> look(controller, key));
        }
    }

    /** Lets a controller look at an object now, on the loop's thread; a look that fails is tried again, later each time. */
    void look(Controller controller, ObjectKey key) {
        Look look = new Look(controller, key);
        if (succeeds(look)) {
            failures.remove(look);
        } else if (!failures.containsKey(look)) {
            retry(look, 1, false);
        }
    }

    private void retry(Look look, int failed, boolean awaited) {
        failures.put(look, failed);
        set(backOff(FIRST_RETRY, failed, LONGEST_RETRY), awaited, () -> {
            if (failures.getOrDefault(look, 0) != failed) {
                return; // it has succeeded since, or is tried at another time
            }
            if (succeeds(look)) {
                failures.remove(look);
            } else {
                retry(look, failed + 1, false);
            }
        });
    }

    /** Tries looks that failed in a namespace again soon, as their cause may be gone. */
    void hasten(String namespace) {
        List<Look> late = failures.entrySet().stream()
                .filter(each ->
                        each.getValue() > 1 && each.getKey().key.namespace().equals(namespace))
                .map(Map.Entry::getKey)
                .toList();
        late.forEach(look -> retry(look, 1, true));
    }

    /** How long to wait after the last of some failures in a row: twice as long after each. */
    static Duration backOff(Duration first, long failures, Duration longest) {
        Duration delay = first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return delay.compareTo(longest) < 0 ? delay : longest;
    }

    private boolean succeeds(Look look) {
        return attempt(() -> look.controller.sync(look.key), look.key.toString());
    }

    private record Look(Controller controller, ObjectKey key) {}

    private boolean attempt(Runnable action, String what) {
        observe();
        try {
            action.run();
            return true;
        } catch (ApiException e) {
            LOG.debug("{}: {}", what, e.getMessage());
            return false;
        } catch (RuntimeException e) {
            LOG.warn("a controller failed at {}", what, e);
            return false;
        }
    }

    private record Work(List<Change> changes, List<Runnable> due) {
        boolean isEmpty() {
            return changes.isEmpty() && due.isEmpty();
        }
    }

    /** Actions to be done at a time, earliest first. Guarded by the loop's lock. */
    private static final class Alarms {

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
}
