package io.evenkeel.app.http;

import io.evenkeel.app.http.OpenConnections.Limits;
import io.evenkeel.app.http.OpenConnections.Place.Phase;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The open connections, with room for one more at any time: a newcomer into a full house takes the place of
 * another. A client that only holds a connection holds it at the expense of its like, and a probe, which has asked within
 * milliseconds, is answered whatever the rest do.
 *
 * <p>The one that has to go is of those that matter least: kept ones with nothing to say, else such as have not asked yet, and
 * answers only if there is nothing else. Among these it is the oldest of the address that has the most (of IPv6, of the 64 bits), so one machine's
 * flood is at its own expense; of many machines' the oldest. With room for 4, each at the place of its coming:
 *
 * <pre>
 * who is there (address, phase)                        newcomer  goes
 * a unfinished, a unfinished, b unfinished, a kept     c         the kept one of a
 * a unfinished, a unfinished, b unfinished, c          c         the first of a, as a has two
 * a answering,  b unfinished, c unfinished, c          d         the unfinished one of c that is older
 * a answering,  b answering,  c answering,  d answering  e       the answer to a
 * </pre>
 *
 * <p>No address gets more for being known: others on the way can forge it, and many can share it. O(connections)
 * for a newcomer into a full house, O(1) else.
 */
final class OpenConnections {
    private static final List<Phase> DISPENSABLE = List.of(Phase.KEPT, Phase.UNFINISHED, Phase.ANSWERING);

    private final Limits limits;
    private final LongSupplier nanos;
    private final Set<Place> places = new LinkedHashSet<>();
    private boolean isClosed;

    OpenConnections(Limits limits, LongSupplier nanos) {
        this.limits = limits;
        this.nanos = nanos;
    }

    /** A place for a connection; answers which other had to go for it, and is cut off already. */
    record Admission(Place place, Optional<Place> displaced) {}

    Admission admit(InetAddress client, Closeable connection) {
        Place place = new Place(client, connection, nanos.getAsLong());
        Optional<Place> displaced;
        synchronized (this) {
            displaced = places.size() < limits.connections() ? Optional.empty() : mostDispensable();
            displaced.ifPresent(places::remove);
            places.add(place);
            if (places.size() == 1) {
                notifyAll();
            }
        }
        displaced.ifPresent(Place::cut);
        return new Admission(place, displaced);
    }

    synchronized void left(Place place) {
        places.remove(place);
    }

    /**
     * Waits until a connection may have become overdue: for ever while there is none, else as long as the first takes, or one that
     * turns from now on to what has the shortest limit. False once closed.
     */
    synchronized boolean awaitDeadline() {
        try {
            while (places.isEmpty() && !isClosed) {
                wait();
            }
            if (!isClosed) {
                wait(1 + TimeUnit.NANOSECONDS.toMillis(nanosUntilOverdue()));
            }
            return !isClosed;
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private long nanosUntilOverdue() {
        long now = nanos.getAsLong();
        long first = limits.shortest().toNanos();
        for (Place place : places) {
            long left = place.nanosUntilOverdue(now, limits);
            first = left < 0 ? first : Math.min(first, left); // else it has been cut, and its thread has yet to notice
        }
        return first;
    }

    void cutOverdue() {
        long now = nanos.getAsLong();
        List<Place> overdue;
        synchronized (this) {
            overdue = places.stream()
                    .filter(place -> place.nanosUntilOverdue(now, limits) < 0)
                    .toList();
        }
        overdue.forEach(Place::cut);
    }

    /** Lets nobody wait for a deadline any more. */
    synchronized void close() {
        isClosed = true;
        notifyAll();
    }

    void cutAll() {
        List<Place> all;
        synchronized (this) {
            all = List.copyOf(places);
        }
        all.forEach(Place::cut);
    }

    synchronized int size() {
        return places.size();
    }

    private Optional<Place> mostDispensable() {
        for (Phase phase : DISPENSABLE) {
            List<Place> candidates =
                    places.stream().filter(place -> place.phase() == phase).toList();
            Map<InetAddress, Integer> ofAddress = new HashMap<>();
            candidates.forEach(place -> ofAddress.merge(place.client(), 1, Integer::sum));
            Optional<Place> oldest = candidates.stream()
                    .min(Comparator.comparingInt((Place place) -> -ofAddress.getOrDefault(place.client(), 0))
                            .thenComparingLong(Place::since));
            if (oldest.isPresent()) {
                return oldest;
            }
        }
        return Optional.empty();
    }

    /**
     * Limits of what clients may hold, and of what they may have the server work out for them before it knows who they are.
     *
     * @param connections open at a time
     * @param handshakes begun a second, and as many at once after a pause
     * @param request from the connection's beginning, or the first byte of a later request, to the end of the request's headers
     * @param kept between an answer and the next request
     * @param stalled while the client takes nothing of an answer
     */
    record Limits(int connections, int handshakes, Duration request, Duration kept, Duration stalled) {
        public static final Limits DEFAULT =
                new Limits(500, 100, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(30));

        Duration shortest() {
            return Collections.min(List.of(request, kept, stalled));
        }
    }

    /** The place of one connection among the open ones: what it is doing, and since when. */
    static final class Place {
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

        /** Less than none where it is overdue. */
        synchronized long nanosUntilOverdue(long now, Limits limits) {
            return switch (phase) {
                case UNFINISHED -> limits.request().toNanos() - (now - since);
                case KEPT -> limits.kept().toNanos() - (now - since);
                case ANSWERING ->
                    writingSince == null ? Long.MAX_VALUE : limits.stalled().toNanos() - (now - writingSince);
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
}
