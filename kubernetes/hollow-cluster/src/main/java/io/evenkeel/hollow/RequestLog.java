package io.evenkeel.hollow;

import io.evenkeel.hollow.Authorizer.Attributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The latest requests, for tests that ask what a client did. A test that has seen the effect of a request, by a
 * watch or by its answer, finds the request here: for readers of the log, effect and entry are one step.
 */
public final class RequestLog {

    private final int capacity;
    private final Deque<LoggedRequest> requests = new ArrayDeque<>();
    /** Shared by requests while something is done for them, and taken whole by those who read. */
    private final ReadWriteLock doing = new ReentrantReadWriteLock();

    private final AtomicInteger underway = new AtomicInteger();

    public RequestLog(int capacity) {
        this.capacity = capacity;
    }

    public List<LoggedRequest> requests() {
        return whole(() -> List.copyOf(requests));
    }

    public void clear() {
        whole(() -> {
            requests.clear();
            return true;
        });
    }

    /** How many requests have come for which nothing has been done yet. */
    public int underway() {
        return underway.get();
    }

    /** A request has come; it is to be {@link #ended} whatever becomes of it. */
    void begun() {
        underway.incrementAndGet();
    }

    void ended() {
        underway.decrementAndGet();
    }

    /** Does what a request asks for and makes its entry. */
    <T> T enter(Supplier<T> work, Function<T, LoggedRequest> entry) {
        Lock shared = doing.readLock();
        shared.lock();
        try {
            T done = work.get();
            add(entry.apply(done));
            return done;
        } finally {
            shared.unlock();
        }
    }

    private synchronized void add(LoggedRequest request) {
        if (requests.size() == capacity) {
            requests.removeFirst();
        }
        requests.addLast(request);
    }

    private <T> T whole(Supplier<T> reading) {
        Lock alone = doing.writeLock();
        alone.lock();
        try {
            return reading.get();
        } finally {
            alone.unlock();
        }
    }

    /**
     * A request that was dealt with.
     *
     * @param protocol such as {@code HTTP/2.0}
     * @param code 0 where it was broken off without an answer
     */
    public record LoggedRequest(
            String protocol, String method, String path, int code, String user, Attributes attributes) {}
}
