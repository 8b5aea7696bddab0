package io.evenkeel.app.http;

import io.evenkeel.app.http.OpenConnections.Place;
import io.evenkeel.kube.api.TokenBucket;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Who may shake hands now. A handshake costs the server a signature and an agreement on keys, and the client next to nothing: it
 * need not even look at the answer. So there are only so many a second. The addresses that wait take turns, so that a flood
 * from one delays no other by more than a turn; and of an address the latest comes first, as its client still waits.
 *
 * <p>A free step never waits: before the client has said all that the server's part begins with, it has no turn.
 */
final class Handshakes {
    private static final int RECORD_HEADER = 5;
    private static final int HANDSHAKE = 22;
    private static final int LONGEST_RECORD = 1 << 14;

    private final LongSupplier nanos;
    private final TokenBucket bucket;
    private final Map<InetAddress, Deque<Place>> waiting = new LinkedHashMap<>();
    private boolean closed;

    Handshakes(int aSecond, LongSupplier nanos) {
        this.nanos = nanos;
        this.bucket = new TokenBucket(aSecond, aSecond, nanos.getAsLong());
    }

    /**
     * Reads the client's first record, and waits for its turn; answers what it has read. What is no handshake has no turn, as
     * it fails at once.
     *
     * @throws IOException if the client leaves, or another has taken its place
     */
    InputStream awaitTurn(InputStream client, Place place) throws IOException {
        ByteArrayOutputStream hello = new ByteArrayOutputStream();
        byte[] header = client.readNBytes(RECORD_HEADER);
        hello.writeBytes(header);
        int length = header.length < RECORD_HEADER ? 0 : (header[3] & 0xff) << 8 | (header[4] & 0xff);
        if (length > 0 && length <= LONGEST_RECORD && header[0] == HANDSHAKE) {
            byte[] record = client.readNBytes(length);
            if (record.length < length) {
                throw new IOException("the client has left amid its first words");
            }
            hello.writeBytes(record);
            await(place);
        }
        return new ByteArrayInputStream(hello.toByteArray());
    }

    private void await(Place place) throws IOException {
        if (isAtOnce(place)) {
            return;
        }
        try {
            if (!place.awaitTurn()) {
                throw new IOException("cut before its handshake");
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            throw new IOException("the server is closed", end);
        } finally {
            left(place);
        }
    }

    /** Whether it has its turn now; it waits in line otherwise. */
    synchronized boolean isAtOnce(Place place) {
        long now = nanos.getAsLong();
        if (waiting.isEmpty() && bucket.nanosUntilToken(now) == 0) {
            bucket.take(now);
            return true;
        }
        waiting.computeIfAbsent(place.client(), _ -> new ArrayDeque<>()).push(place);
        notifyAll();
        return false;
    }

    private synchronized void left(Place place) {
        Deque<Place> its = waiting.get(place.client());
        if (its != null && its.remove(place) && its.isEmpty()) {
            waiting.remove(place.client());
        }
    }

    /** Gives turns as they come up, until it is closed. */
    synchronized void giveTurns() {
        while (!closed) {
            long until = giveDue();
            try {
                if (until > 0) {
                    TimeUnit.NANOSECONDS.timedWait(this, until);
                } else {
                    wait();
                }
            } catch (InterruptedException end) {
                return;
            }
        }
    }

    /** Gives the turns that have come up; returns the nanoseconds until the next one, 0 where none is waited for. */
    synchronized long giveDue() {
        while (!waiting.isEmpty()) {
            long now = nanos.getAsLong();
            long until = bucket.nanosUntilToken(now);
            if (until > 0) {
                return until;
            }
            if (next().giveTurn()) {
                bucket.take(now);
            }
        }
        return 0;
    }

    private Place next() {
        Map.Entry<InetAddress, Deque<Place>> first =
                waiting.entrySet().iterator().next();
        Deque<Place> its = first.getValue();
        Place place = its.pop();
        waiting.remove(first.getKey());
        if (!its.isEmpty()) {
            waiting.put(place.client(), its);
        }
        return place;
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
