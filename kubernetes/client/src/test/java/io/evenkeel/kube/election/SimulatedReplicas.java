package io.evenkeel.kube.election;

import io.evenkeel.kube.api.Machine.Sleeper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Threads of which one runs at a time, each until it sleeps; then the one that is to wake first. Nobody really sleeps. */
final class SimulatedReplicas {
    private final List<Replica> replicas = new ArrayList<>();
    private final Semaphore asleep = new Semaphore(0);
    // Close to an overflow, as System.nanoTime may be.
    private long now = Long.MAX_VALUE - 1_000_000;
    private Optional<Replica> current = Optional.empty();

    /** One thread, with a sleep of its own. */
    final class Replica implements Sleeper {
        private final Semaphore awake = new Semaphore(0);
        private long wakesAt = now;
        private boolean ended;

        private void begin(Runnable work) {
            Thread.ofVirtual().start(() -> {
                awake.acquireUninterruptibly();
                try {
                    work.run();
                } finally {
                    ended = true;
                    asleep.release();
                }
            });
        }

        @Override
        public void sleep(long nanos) {
            wakesAt = now + nanos;
            asleep.release();
            awake.acquireUninterruptibly();
        }

        boolean hasEnded() {
            return ended;
        }
    }

    Replica replica() {
        return new Replica();
    }

    void start(Replica replica, Runnable work) {
        replica.wakesAt = now;
        replica.begin(work);
        replicas.add(replica);
    }

    /** Starts one more thread of whoever calls this. */
    void start(Runnable work) {
        start(replica(), work);
    }

    /** Lets the thread that calls this sleep. */
    void sleep(long nanos) {
        current.orElseThrow().sleep(nanos);
    }

    long now() {
        return now;
    }

    /** Lets time pass, calling the check whenever something has happened. */
    void pass(long nanos, Runnable check) {
        long end = now + nanos;
        while (true) {
            replicas.removeIf(Replica::hasEnded);
            Replica next = null;
            for (Replica replica : replicas) {
                if (next == null || replica.wakesAt - next.wakesAt < 0) {
                    next = replica;
                }
            }
            if (next == null || next.wakesAt - end > 0) {
                now = end;
                check.run();
                return;
            }
            now = next.wakesAt;
            check.run();
            current = Optional.of(next);
            next.awake.release();
            asleep.acquireUninterruptibly();
            check.run();
        }
    }
}
