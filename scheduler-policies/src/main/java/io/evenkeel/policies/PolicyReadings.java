package io.evenkeel.policies;

import io.evenkeel.cluster.ClusterView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The policies that there are, for those who look on now and then: nothing is counted for them that is not counted anyway. */
public final class PolicyReadings {
    private final ClusterView cluster;
    private final PolicyBook book;
    private Map<BoundPolicy, ReadablePolicy> readable = new LinkedHashMap<>();
    private long changes = -1;

    public PolicyReadings(ClusterView cluster) {
        this.cluster = cluster;
        this.book = PolicyBook.of(cluster);
    }

    /** Grows whenever there are other policies than before, or one asks for something else. */
    public long changes() {
        return book.changes();
    }

    /** All of them; one is the same object for as long as it asks for the same. */
    public List<ReadablePolicy> all() {
        if (changes != book.changes()) {
            changes = book.changes();
            Map<BoundPolicy, ReadablePolicy> now = new LinkedHashMap<>();
            for (BoundPolicy bound : book.all()) {
                ReadablePolicy before = readable.get(bound);
                now.put(bound, before == null ? new ReadablePolicy(cluster, book, bound) : before);
            }
            readable = now;
        }
        return List.copyOf(readable.values());
    }
}
