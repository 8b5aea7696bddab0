package io.evenkeel.app.http.wire;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** The place of one connection among those that are open: what it is doing, and since when. */
final class Place {
    /** What a connection is doing. */
    enum Phase {
        /** Something has to come from the client: a handshake, a request. Whoever wants to may stay so. */
        UNFINISHED,
        /** The request is there. */
        ANSWERING,
        /** A request has been answered and the next one may come. */
        KEPT
    }

    private final InetAddress client;
    private final Closeable connection;
    private Phase phase = Phase.UNFINISHED;
    private long since;
    private @Nullable Long writingSince;

    Place(InetAddress client, Closeable connection, long now) {
        this.client = client;
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

    InetAddress client() {
        return client;
    }

    /** Whoever reads or writes there fails. */
    void cut() {
        try {
            connection.close();
        } catch (IOException alreadyBroken) {
            // as good as closed
        }
    }
}
