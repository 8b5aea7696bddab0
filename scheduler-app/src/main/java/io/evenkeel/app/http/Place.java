package io.evenkeel.app.http;

import io.evenkeel.app.http.OpenConnections.Limits;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The place of one connection among the open ones: what it is doing, and since when. */
final class Place {
    enum Phase {
        /** Something has to come from the client: a handshake, a request. It may stay so for ever. */
        UNFINISHED,
        ANSWERING,
        /** A request has been answered and the next one may come. */
        KEPT
    }

    private final InetAddress client;
    private final Closeable connection;
    private Phase phase = Phase.UNFINISHED;
    private long since;
    private @Nullable Long writingSince;
    private boolean mayShakeHands;
    private boolean isCut;

    Place(InetAddress client, Closeable connection, long now) {
        this.client = network(client);
        this.connection = connection;
        this.since = now;
    }

    synchronized void enter(Phase next, long now) {
        phase = next;
        since = now;
        writingSince = null;
    }

    /** Some bytes of an answer are given to the client, or have been taken. */
    synchronized void writing(@Nullable Long sinceWhen) {
        writingSince = sinceWhen;
    }

    synchronized boolean isOverdue(long now, Limits limits) {
        return switch (phase) {
            case UNFINISHED -> now - since > limits.request().toNanos();
            case KEPT -> now - since > limits.kept().toNanos();
            case ANSWERING ->
                writingSince != null && now - writingSince > limits.stalled().toNanos();
        };
    }

    synchronized Phase phase() {
        return phase;
    }

    synchronized long since() {
        return since;
    }

    /** The client's address; of an address of IPv6 the first 64 bits, behind which a machine has as many as it likes. */
    InetAddress client() {
        return client;
    }

    private static InetAddress network(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length <= Long.BYTES) {
            return address;
        }
        Arrays.fill(bytes, Long.BYTES, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Lets it shake hands; no longer where it has been cut. */
    synchronized boolean giveTurn() {
        mayShakeHands = !isCut;
        notifyAll();
        return mayShakeHands;
    }

    /** For its turn to shake hands. */
    synchronized boolean isWaiting() {
        return !mayShakeHands && !isCut;
    }

    /** Waits until it may shake hands, or is cut: then it may not. */
    synchronized boolean awaitTurn() throws InterruptedException {
        while (isWaiting()) {
            wait();
        }
        return !isCut;
    }

    /** Makes all reads and writes there fail. */
    void cut() {
        synchronized (this) {
            isCut = true;
            notifyAll();
        }
        try {
            connection.close();
        } catch (IOException alreadyBroken) {
            // as good as closed
        }
    }
}
