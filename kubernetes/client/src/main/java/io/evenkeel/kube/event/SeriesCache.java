package io.evenkeel.kube.event;

import io.evenkeel.kube.event.EventTask.Occurrence;
import io.evenkeel.kube.event.EventTask.SeriesEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Remembers which events were written lately, so that an equal one continues them: the same object, controller, reason,
 * action and note within {@link #FOLDED_WITHIN} of the last. Holds at most so many series and forgets those that were
 * quiet the longest; every operation is O(1) but {@link #takeFinished}, which is linear in what it returns.
 *
 * <p>Used by many threads. Two of them are never about the same object.
 */
final class SeriesCache {
    /** As in client-go's broadcaster of events.k8s.io. */
    static final Duration FOLDED_WITHIN = Duration.ofMinutes(6);

    private record Key(String object, String controller, String reason, String action, String note) {
        static Key of(Occurrence occurrence) {
            var said = occurrence.event();
            return new Key(
                    occurrence.regarding().identity(),
                    said.reportingController(),
                    said.reason(),
                    said.action(),
                    said.note());
        }
    }

    private record Kept(Regarding regarding, Series series) {}

    private final int capacity;
    private final LinkedHashMap<Key, Kept> quietestFirst = new LinkedHashMap<>();

    SeriesCache(int capacity) {
        this.capacity = capacity;
    }

    synchronized Optional<Series> continuedBy(Occurrence occurrence) {
        return Optional.ofNullable(quietestFirst.get(Key.of(occurrence)))
                .map(Kept::series)
                .filter(series -> series.lastObserved().plus(FOLDED_WITHIN).isAfter(occurrence.time()));
    }

    synchronized void put(Occurrence occurrence, Series series) {
        Key key = Key.of(occurrence);
        quietestFirst.remove(key);
        quietestFirst.put(key, new Kept(occurrence.regarding(), series));
        if (quietestFirst.size() > capacity) {
            quietestFirst.pollFirstEntry();
        }
    }

    synchronized void forget(Occurrence occurrence) {
        quietestFirst.remove(Key.of(occurrence));
    }

    /** Takes out the series that nothing continues any more; returns the ends with a count that the server does not know. */
    synchronized List<SeriesEnd> takeFinished(Instant now) {
        List<SeriesEnd> behind = new ArrayList<>();
        Iterator<Kept> all = quietestFirst.values().iterator();
        while (all.hasNext()) {
            Kept kept = all.next();
            if (kept.series().lastObserved().plus(FOLDED_WITHIN).isAfter(now)) {
                break;
            }
            all.remove();
            if (kept.series().isBehind()) {
                behind.add(new SeriesEnd(kept.regarding(), kept.series()));
            }
        }
        return behind;
    }
}
