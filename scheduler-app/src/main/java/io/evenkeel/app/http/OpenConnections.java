package io.evenkeel.app.http;

import io.evenkeel.app.http.Place.Phase;
import java.io.Closeable;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

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
        }
        displaced.ifPresent(Place::cut);
        return new Admission(place, displaced);
    }

    synchronized void left(Place place) {
        places.remove(place);
    }

    void cutOverdue() {
        long now = nanos.getAsLong();
        List<Place> overdue;
        synchronized (this) {
            overdue = places.stream()
                    .filter(place -> place.isOverdue(now, limits))
                    .toList();
        }
        overdue.forEach(Place::cut);
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
    }
}
