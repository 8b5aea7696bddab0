package io.evenkeel.hollow.fault;

import io.evenkeel.hollow.rest.request.Attributes;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests that have come, and for which nothing is done until they are let on. */
public final class HeldRequests {

    private final RequestMatch match;
    private final CountDownLatch letOn = new CountDownLatch(1);
    private final AtomicInteger waiting = new AtomicInteger();

    HeldRequests(RequestMatch match) {
        this.match = match;
    }

    /** How many wait now. */
    public int waiting() {
        return waiting.get();
    }

    /** Lets them on, and holds no others from now on. */
    public void letOn() {
        letOn.countDown();
    }

    void await(Attributes attributes) throws InterruptedException {
        if (match.matches(attributes)) {
            waiting.incrementAndGet();
            try {
                letOn.await();
            } finally {
                waiting.decrementAndGet();
            }
        }
    }
}
