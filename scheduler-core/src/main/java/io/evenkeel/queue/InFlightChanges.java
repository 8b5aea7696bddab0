package io.evenkeel.queue;

import io.evenkeel.api.ClusterChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The changes while pods are in flight: one that is turned away late, as it waited for a permit, would else sleep
 * through the change that helps it.
 *
 * <p>The changes of the cluster are kept once for all pods, from when the first of them was taken out; a change of a
 * pod's own with that pod. So a change costs one step however many pods are in flight, and nothing while there are none.
 *
 * <pre>
 *                              kept     p in flight from  q in flight from
 *   p is taken out                      0
 *   changes A and B            A B      0
 *   q is taken out             A B      0                 2
 *   change C; Q, of q's own    A B C    0                 2, and Q
 *   end(q): it missed Q C      A B C    0
 *   end(p): it missed A B C
 * </pre>
 */
final class InFlightChanges {
    private final Map<QueueEntry, Flight> flights = new LinkedHashMap<>();
    private final List<ClusterChange> changes = new ArrayList<>();
    /** How many changes came before the ones that are kept. */
    private long forgotten;

    private record Flight(long changesBefore, List<ClusterChange> own) {}

    /** The pod is taken out, and may come back. */
    void begin(QueueEntry entry) {
        flights.put(entry, new Flight(forgotten + changes.size(), new ArrayList<>(0)));
    }

    void add(ClusterChange change) {
        if (!flights.isEmpty()) {
            changes.add(change);
        }
    }

    void addOwn(QueueEntry entry, ClusterChange change) {
        Flight flight = flights.get(entry);
        if (flight != null) {
            flight.own.add(change);
        }
    }

    /** Returns the changes since the pod was taken out; nothing is kept for it any more. */
    List<ClusterChange> end(QueueEntry entry) {
        Flight flight = flights.remove(entry);
        if (flight == null) {
            return List.of();
        }
        List<ClusterChange> missed = new ArrayList<>(flight.own);
        missed.addAll(changes.subList((int) (flight.changesBefore - forgotten), changes.size()));
        forget();
        return missed;
    }

    /** How many changes are kept, each counted once, however many pods it is kept for. */
    int kept() {
        int own =
                flights.values().stream().mapToInt(flight -> flight.own.size()).sum();
        return changes.size() + own;
    }

    /** Drops what came before the first pod in flight, once it is the greater part: so each change is moved but once. */
    private void forget() {
        int needless = flights.isEmpty()
                ? changes.size()
                : (int) (flights.values().iterator().next().changesBefore - forgotten);
        if (needless > changes.size() / 2) {
            changes.subList(0, needless).clear();
            forgotten += needless;
        }
    }
}
