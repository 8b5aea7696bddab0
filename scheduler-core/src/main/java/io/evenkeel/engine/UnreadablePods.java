package io.evenkeel.engine;

import io.evenkeel.engine.SchedulerEvent.UnreadablePod;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The pods of our profiles that cannot be read: nobody else would tell their owners why they wait. Each is told of once a
 * version, and at most once a minute for one reason, as a version may come every moment. Of a thousand pods what has been
 * told is known, of the latest; O(1) each.
 */
final class UnreadablePods {
    private static final int MOST = 1_000;
    private static final long AGAIN_AFTER = Duration.ofMinutes(1).toNanos();

    private final Set<String> schedulerNames;
    private final PodReports reports;
    private final LongSupplier clock;
    private final Map<String, UnreadablePod> untold = new LinkedHashMap<>();
    private final Map<String, Told> told = new LinkedHashMap<>();

    private record Told(ObjectMeta pod, String reason, long at) {}

    UnreadablePods(Set<String> schedulerNames, PodReports reports, LongSupplier clock) {
        this.schedulerNames = schedulerNames;
        this.reports = reports;
        this.clock = clock;
    }

    void saw(UnreadablePod skipped) {
        Pod pod = skipped.pod();
        boolean waitsForUs = schedulerNames.contains(pod.spec().schedulerName())
                && !pod.isPlaced()
                && !pod.meta().terminating();
        if (!waitsForUs) {
            forget(pod);
        } else if (!isTold(skipped)) {
            put(untold, pod.key(), skipped);
        }
    }

    /** Tells of one pod; false where there is none. */
    boolean tellNext() {
        if (untold.isEmpty()) {
            return false;
        }
        Iterator<UnreadablePod> first = untold.values().iterator();
        UnreadablePod next = first.next();
        first.remove();
        Pod pod = next.pod();
        reports.unreadable(pod, next.reason());
        put(told, pod.key(), new Told(pod.meta(), next.reason(), clock.getAsLong()));
        return true;
    }

    /** It can be read now, or is gone. */
    void forget(KubernetesObject object) {
        if (object instanceof Pod pod && !(untold.isEmpty() && told.isEmpty())) {
            untold.remove(pod.key());
            told.remove(pod.key());
        }
    }

    /** Forgets pods that are gone, as a list tells; their end went unheard. */
    void forget(Predicate<ObjectMeta> gone) {
        untold.values().removeIf(each -> gone.test(each.pod().meta()));
        told.values().removeIf(each -> gone.test(each.pod));
    }

    private boolean isTold(UnreadablePod skipped) {
        Told last = told.get(skipped.pod().key());
        if (last == null) {
            return false;
        }
        ObjectMeta pod = skipped.pod().meta();
        boolean justNow = clock.getAsLong() - last.at < AGAIN_AFTER && last.reason.equals(skipped.reason());
        boolean isSame = last.pod.uid().equals(pod.uid());
        return isSame && (justNow || last.pod.resourceVersion().equals(pod.resourceVersion()));
    }

    private static <V> void put(Map<String, V> pods, String key, V value) {
        pods.remove(key);
        if (pods.size() >= MOST) {
            Iterator<V> eldest = pods.values().iterator();
            eldest.next();
            eldest.remove();
        }
        pods.put(key, value);
    }
}
