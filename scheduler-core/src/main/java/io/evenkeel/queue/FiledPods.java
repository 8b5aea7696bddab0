package io.evenkeel.queue;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.change.Interest;
import io.evenkeel.framework.change.Sign;
import io.evenkeel.framework.run.PluginFault;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The pods that one wake-up of a plugin may help, filed by what they wait for: by sign, then by their namespace, then in
 * the order in which they began to wait. So a change finds those whom it may concern by the signs that it bears, and those
 * of each namespace apart from the others'.
 *
 * <pre>
 *   p of shop waits for app=web in shop     OBJECT shop app=web   shop   1 p, 3 r
 *   q of test waits for any change          OBJECT                test   2 q
 *   r of shop waits as p does
 *
 *   a pod of shop comes with app=web: those of shop are p and r, those of test q
 *   a pod of shop comes with app=db:  those of test are q
 * </pre>
 */
final class FiledPods {
    private final Function<PodInfo, Interest> interestOf;
    private final Map<Sign, Map<String, NavigableMap<Long, QueueEntry>>> bySign = new HashMap<>();
    private final Map<QueueEntry, Set<Sign>> signs = new HashMap<>();

    FiledPods(Function<PodInfo, Interest> interestOf) {
        this.interestOf = interestOf;
    }

    void add(QueueEntry entry) {
        Set<Sign> waitedFor = signsOf(entry.admitted());
        signs.put(entry, waitedFor);
        for (Sign sign : waitedFor) {
            bySign.computeIfAbsent(sign, _ -> new LinkedHashMap<>(4))
                    .computeIfAbsent(entry.pod().namespace(), _ -> new TreeMap<>())
                    .put(entry.sequence, entry);
        }
    }

    void remove(QueueEntry entry) {
        Set<Sign> waitedFor = signs.remove(entry);
        if (waitedFor == null) {
            return;
        }
        for (Sign sign : waitedFor) {
            bySign.computeIfPresent(sign, (_, byNamespace) -> {
                byNamespace.computeIfPresent(entry.pod().namespace(), (_, filed) -> {
                    filed.remove(entry.sequence);
                    return filed.isEmpty() ? null : filed;
                });
                return byNamespace.isEmpty() ? null : byNamespace;
            });
        }
    }

    boolean isEmpty() {
        return signs.isEmpty();
    }

    /** Visits the pods that are filed by one of these signs, by namespace; some of them more than once. */
    void find(Set<Sign> borne, BiConsumer<String, NavigableMap<Long, QueueEntry>> visitor) {
        for (Sign sign : borne) {
            Map<String, NavigableMap<Long, QueueEntry>> found = bySign.get(sign);
            if (found != null) {
                found.forEach(visitor);
            }
        }
    }

    /** An interest that fails counts as one in everything. */
    private Set<Sign> signsOf(PodInfo pod) {
        try {
            return interestOf.apply(pod).signs();
        } catch (Throwable thrown) {
            PluginFault.of(thrown); // unless it is the JVM that fails
            return Interest.ANY.signs();
        }
    }

    /** For tests of what it holds. */
    List<Integer> sizes() {
        return List.of(signs.size(), bySign.size());
    }
}
