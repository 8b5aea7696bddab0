package io.evenkeel.hollow.rest;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The latest requests, for tests that ask what a client did. */
public final class RequestLog {

    private final int capacity;
    private final Deque<LoggedRequest> requests = new ArrayDeque<>();
    private final List<Consumer<LoggedRequest>> listeners = new CopyOnWriteArrayList<>();

    public RequestLog(int capacity) {
        this.capacity = capacity;
    }

    public synchronized List<LoggedRequest> requests() {
        return List.copyOf(requests);
    }

    public synchronized void clear() {
        requests.clear();
    }

    /** Tells of every request from now on, on the request's own thread. */
    public void listen(Consumer<LoggedRequest> listener) {
        listeners.add(listener);
    }

    void add(LoggedRequest request) {
        synchronized (this) {
            if (requests.size() == capacity) {
                requests.removeFirst();
            }
            requests.addLast(request);
        }
        listeners.forEach(listener -> listener.accept(request));
    }
}
