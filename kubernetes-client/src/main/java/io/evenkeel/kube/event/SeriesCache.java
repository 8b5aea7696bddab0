package io.evenkeel.kube.event;

import io.evenkeel.kube.event.EventTask.Happening;
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
        static Key of(Happening happening) {
            var said = happening.announcement();
            return new Key(
                    happening.regarding().identity(),
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

    synchronized Optional<Series> continuedBy(Happening happening) {
        return Optional.ofNullable(quietestFirst.get(Key.of(happening)))
                .map(Kept::series)
                .filter(series -> series.lastObserved().plus(FOLDED_WITHIN).isAfter(happening.time()));
    }

    synchronized void put(Happening happening, Series series) {
        Key key = Key.of(happening);
        quietestFirst.remove(key);
        quietestFirst.put(key, new Kept(happening.regarding(), series));
        if (quietestFirst.size() > capacity) {
            quietestFirst.pollFirstEntry();
        }
    }

    synchronized void forget(Happening happening) {
        quietestFirst.remove(Key.of(happening));
    }

    /** Takes out the series that nothing continues any more; returns those whose count the server does not know. */
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
