package io.evenkeel.kube.patch;

import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.LogThrottle;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Loop;
import io.evenkeel.kube.api.TokenBucket;
import io.evenkeel.kube.patch.MergePatch.Target;
import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.kube.patch.PatchSink.PatchObserver;
import io.evenkeel.kube.patch.PatchSink.PatchObserver.End;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends patches on a thread of its own, one after the other. What may pass is tried again for as long as it takes, in longer and longer
 * intervals; what the server refuses is dropped, with a line of the log. Nothing is sent while this replica may not write.
 */
public final class PatchWriter implements PatchSink, Loop, AutoCloseable {
    private static final int CONFLICT = 409;
    private static final Duration FIRST_DELAY = Duration.ofMillis(500);
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);
    /** Until it is looked again whether the lease is held. */
    private static final Duration HELD = Duration.ofSeconds(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PatchQueue queue;
    private final ApiTransport transport;
    private final BooleanSupplier mayWrite;
    private final Clocks clocks;
    private final PatchLog log;
    private final PatchObserver observer;
    private boolean closed;

    PatchWriter(Pace pace, ApiTransport transport, BooleanSupplier mayWrite, PatchObserver observer, Clocks clocks) {
        this.queue = new PatchQueue(pace, clocks.nanos().getAsLong());
        this.transport = transport;
        this.mayWrite = mayWrite;
        this.observer = observer;
        this.clocks = clocks;
        this.log = new PatchLog(clocks.nanos());
    }

    /**
     * A writer at work.
     *
     * @param name of its thread
     * @param mayWrite whether the lease is held beyond doubt; asked right before each patch
     */
    public static PatchWriter start(
            String name,
            Pace pace,
            ApiTransport transport,
            BooleanSupplier mayWrite,
            PatchObserver observer,
            Machine machine) {
        PatchWriter writer = new PatchWriter(pace, transport, mayWrite, observer, machine.clocks());
        machine.thread(name, writer).start();
        return writer;
    }

    @Override
    public void put(MergePatch patch) {
        lock.lock();
        try {
            if (!closed) {
                queue.put(patch, now());
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean turn(long longestWait) {
        next(longestWait).ifPresent(this::send);
        return !isClosed();
    }

    private Optional<PatchQueue.Sending> next(long longestWait) {
        lock.lock();
        try {
            long left = longestWait;
            long wait = Math.min(left, queue.nanosUntilNext(now()));
            while (!closed && wait > 0) {
                left -= wait - changed.awaitNanos(wait);
                wait = Math.min(left, queue.nanosUntilNext(now()));
            }
            return closed ? Optional.empty() : queue.take(now());
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            closed = true;
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private void send(PatchQueue.Sending sending) {
        MergePatch patch = sending.patch();
        if (!mayWrite.getAsBoolean()) {
            again(sending, Optional.of(HELD));
            return;
        }
        try {
            judge(sending, Answered.write(transport, patch.call()));
        } catch (IOException noAnswer) {
            log.failed(patch, "no answer: " + noAnswer, true);
            again(sending, Optional.empty());
        } catch (RuntimeException unexpected) {
            log.failed(patch, unexpected.toString(), false);
            observer.ended(patch, End.REFUSED, unexpected.toString());
        }
    }

    private void judge(PatchQueue.Sending sending, Answered answer) {
        MergePatch patch = sending.patch();
        String why = answer.isSuccess() ? "" : answer.status().explanation();
        if (answer.isSuccess()) {
            log.written(patch);
            observer.ended(patch, End.WRITTEN, why);
        } else if (answer.isGone(patch.kind().plural())) {
            observer.ended(patch, End.GONE, why);
        } else if (answer.code() == CONFLICT && patch.ofVersion()) {
            observer.ended(patch, End.OVERTAKEN, why);
        } else if (answer.mayPass() || answer.code() == CONFLICT) {
            log.failed(patch, why, true);
            again(sending, answer.retryAfter());
        } else {
            log.failed(patch, why, false);
            observer.ended(patch, End.REFUSED, why);
        }
    }

    private void again(PatchQueue.Sending failed, Optional<Duration> retryAfter) {
        Duration delay = retryAfter.orElseGet(() -> FIRST_DELAY.multipliedBy(1L << Math.min(failed.attempts(), 10)));
        long nanos = (delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY).toNanos();
        lock.lock();
        try {
            queue.again(failed, nanos, now());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long nanosUntilNext() {
        lock.lock();
        try {
            return closed ? Long.MAX_VALUE : queue.nanosUntilNext(now());
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private long now() {
        return clocks.nanos().getAsLong();
    }

    /** Patches that are not sent yet are dropped: the next leader compares with the objects as they are, and goes on from there. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lines about patches: one at once when a kind's objects cannot be written, and another every few minutes. */
    static final class PatchLog {
        private static final Logger log = LoggerFactory.getLogger(PatchLog.class);
        private static final Duration A_LINE = Duration.ofMinutes(5);

        private final LongSupplier nanos;
        private final Map<String, LogThrottle> failures = new HashMap<>();

        PatchLog(LongSupplier nanos) {
            this.nanos = nanos;
        }

        void written(MergePatch patch) {
            log.atDebug()
                    .setMessage("Patched an object")
                    .addKeyValue("kind", patch.kind().name())
                    .addKeyValue("object", patch.object().key())
                    .addKeyValue("subresource", patch.subresource())
                    .log();
        }

        void failed(MergePatch patch, String why, boolean isTriedAgain) {
            failures.computeIfAbsent(patch.kind().name(), _ -> new LogThrottle(A_LINE, nanos))
                    .count(times -> log.atWarn()
                            .setMessage("Cannot patch an object")
                            .addKeyValue("kind", patch.kind().name())
                            .addKeyValue("object", patch.object().key())
                            .addKeyValue("subresource", patch.subresource())
                            .addKeyValue("why", why)
                            .addKeyValue("triedAgain", isTriedAgain)
                            .addKeyValue("times", times)
                            .log());
        }
    }

    /**
     * The newest patch of each object, and which of them may be sent now. An object's turn stays where it is when a newer patch comes, so
     * that one which changes all the time is written, too.
     *
     * <pre>{@code
     * 5 s between two of an object
     * 0 s   put a1           sent
     * 1 s   put a2, put b1   b1 sent
     * 3 s   put a3           nothing: a has its turn at 5 s
     * 5 s                    a3 sent; a2 never is
     * }</pre>
     *
     * <p>Time is handed in; not thread-safe.
     */
    static final class PatchQueue {
        /**
         * A patch to send, or to send again.
         *
         * @param attempts that have failed
         */
        record Sending(MergePatch patch, int attempts) {}

        private record Turn(Target target, long due, long order) {
            static final Comparator<Turn> FIRST =
                    Comparator.comparingLong(Turn::due).thenComparingLong(Turn::order);
        }

        private record Waiting(Turn turn, Sending sending) {}

        private final long betweenSame;
        private final TokenBucket tokens;
        private final Map<Target, Waiting> waiting = new HashMap<>();
        private final TreeSet<Turn> turns = new TreeSet<>(Turn.FIRST);

        /** When objects were patched, the earliest first, for as long as it matters. */
        private final LinkedHashMap<Target, Long> sentAt = new LinkedHashMap<>();

        private long orders;

        PatchQueue(Pace pace, long now) {
            betweenSame = pace.betweenSame().toNanos();
            tokens = new TokenBucket(pace.perSecond(), pace.perSecond(), now);
        }

        void put(MergePatch patch, long now) {
            Target target = patch.target();
            Waiting before = waiting.get(target);
            if (before == null) {
                add(target, earliest(target, now), new Sending(patch, 0));
            } else {
                waiting.put(
                        target,
                        new Waiting(
                                before.turn(),
                                new Sending(patch, before.sending().attempts())));
            }
        }

        private long earliest(Target target, long now) {
            Long last = sentAt.get(target);
            return last == null ? now : Math.max(now, last + betweenSame);
        }

        private void add(Target target, long due, Sending sending) {
            Turn turn = new Turn(target, due, orders++);
            turns.add(turn);
            waiting.put(target, new Waiting(turn, sending));
        }

        /** The patch that may be sent now, if one may: it is on its way from then on. */
        Optional<Sending> take(long now) {
            forget(now);
            if (nanosUntilNext(now) > 0) {
                return Optional.empty();
            }
            Turn turn = turns.removeFirst();
            tokens.take(now);
            sentAt.remove(turn.target());
            sentAt.put(turn.target(), now);
            return Optional.ofNullable(waiting.remove(turn.target())).map(Waiting::sending);
        }

        private void forget(long now) {
            while (!sentAt.isEmpty() && now - sentAt.firstEntry().getValue() >= betweenSame) {
                sentAt.pollFirstEntry();
            }
        }

        /** Puts back a patch that failed, to be sent again after a delay; a newer one of the same object is sent in its place. */
        void again(Sending failed, long delay, long now) {
            Target target = failed.patch().target();
            Waiting newer = waiting.get(target);
            MergePatch newest = newer == null ? failed.patch() : newer.sending().patch();
            if (newer != null) {
                turns.remove(newer.turn());
            }
            add(target, Math.max(earliest(target, now), now + delay), new Sending(newest, failed.attempts() + 1));
        }

        /** Nanoseconds until there may be something to send if nothing else happens. */
        long nanosUntilNext(long now) {
            return turns.isEmpty()
                    ? Long.MAX_VALUE
                    : Math.max(
                            tokens.nanosUntilToken(now),
                            Math.max(0, turns.getFirst().due() - now));
        }

        int size() {
            return waiting.size();
        }
    }
}
