package io.evenkeel.kube.event;

import java.time.Instant;

/**
 * Equal events that are one at the server.
 *
 * @param name of the first event, which stands for all
 * @param written the count that the server has
 */
record Series(String namespace, String name, int count, Instant lastObserved, int written, Instant lastWritten) {

    static Series startedBy(String namespace, String name, Instant time) {
        return new Series(namespace, name, 1, time, 1, time);
    }

    Series seenAgain(Instant time) {
        return new Series(namespace, name, count + 1, time, written, lastWritten);
    }

    Series nowWritten() {
        return new Series(namespace, name, count, lastObserved, count, lastObserved);
    }

    boolean isBehind() {
        return written < count;
    }
}
