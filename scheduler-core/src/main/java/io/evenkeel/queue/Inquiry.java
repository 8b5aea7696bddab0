package io.evenkeel.queue;

import io.evenkeel.framework.change.ClusterChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * One change that may help pods of one namespace that one plugin keeps waiting, and how far they have been asked about, in
 * the order in which they began to wait. It goes by the files themselves, so pods that are gone by then are passed over, and
 * so are those that were filed after the change came: it is older than they are, or was asked about before they changed.
 */
final class Inquiry {
    private static final long NONE_YET = -1;

    final WakeUpListener listener;
    final ClusterChange change;
    final String namespace;
    private final List<NavigableMap<Long, QueueEntry>> files = new ArrayList<>(2);
    private final long newest;
    private final long number;
    private long asked = NONE_YET;

    /**
     * An inquiry without files yet.
     *
     * @param newest of the pods that waited when the change came
     * @param number of the change
     */
    Inquiry(WakeUpListener listener, ClusterChange change, String namespace, long newest, long number) {
        this.listener = listener;
        this.change = change;
        this.namespace = namespace;
        this.newest = newest;
        this.number = number;
    }

    void addFile(NavigableMap<Long, QueueEntry> file) {
        files.add(file);
    }

    /** The next pod to ask about; costs a look into each file. */
    Optional<QueueEntry> next() {
        while (asked < newest) {
            Map.Entry<Long, QueueEntry> first = null;
            for (NavigableMap<Long, QueueEntry> file : files) {
                Map.Entry<Long, QueueEntry> candidate = file.higherEntry(asked);
                if (candidate != null && (first == null || candidate.getKey() < first.getKey())) {
                    first = candidate;
                }
            }
            asked = first == null ? newest : first.getKey();
            if (first != null && isConcerned(first.getValue())) {
                return Optional.of(first.getValue());
            }
        }
        return Optional.empty();
    }

    private boolean isConcerned(QueueEntry entry) {
        return entry.sequence <= newest && entry.filedAfter < number;
    }

    /** Whether the pod is still to be asked about. */
    boolean awaits(QueueEntry entry) {
        return entry.sequence > asked
                && isConcerned(entry)
                && files.stream().anyMatch(file -> file.containsKey(entry.sequence));
    }
}
