package io.evenkeel.policies.status;

import io.evenkeel.app.companion.WaitingPods;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Labels;
import io.evenkeel.policies.ReadablePolicy;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The pods that wait for a node because of policies, by namespace and labels: the pods of a workload are alike, and are asked
 * about at once.
 */
final class WaitingByLabels {
    private static final int MOST_IDLE = 1 << 10;

    private static final class Alike {
        private Pod sample;
        private int pods;

        Alike(Pod sample) {
            this.sample = sample;
        }
    }

    private static final class OfNamespace {
        private Map<Labels, Alike> byLabels = new HashMap<>();
        private long changes;
    }

    private Map<String, OfNamespace> namespaces = new HashMap<>();
    /** How many of them have no waiting pods: they stay until they are many, and more than the others. */
    private int idle;

    /** The most changes of a namespace that has gone. */
    private long changesOfIdle;

    private long changes;
    private final Predicate<Pod> isKept;
    private final WaitingPods waiting;

    /** @param isKept whether a pod is of a profile that keeps policies: of others none is asked where they go */
    WaitingByLabels(Predicate<Pod> isKept) {
        this.isKept = isKept;
        waiting = new WaitingPods(new WaitingPods.Listener() {
            @Override
            public void began(Pod pod) {
                count(pod, 1);
            }

            @Override
            public void ended(Pod pod) {
                count(pod, -1);
            }
        });
    }

    void take(SchedulerEvent event) {
        waiting.take(event);
    }

    private void count(Pod pod, int delta) {
        if (!isKept.test(pod)) {
            return;
        }
        OfNamespace there = namespaces.computeIfAbsent(pod.namespace(), _ -> {
            idle++;
            return new OfNamespace();
        });
        boolean wasIdle = there.byLabels.isEmpty();
        Alike alike = there.byLabels.computeIfAbsent(pod.labels(), _ -> new Alike(pod));
        alike.pods += delta;
        alike.sample = delta > 0 ? pod : alike.sample;
        if (alike.pods == 0) {
            there.byLabels.remove(pod.labels());
        }
        if (there.byLabels.isEmpty()) {
            there.byLabels = new HashMap<>(); // gives back the room of the pods that were there
        }
        there.changes = ++changes;
        idle += (there.byLabels.isEmpty() ? 1 : 0) - (wasIdle ? 1 : 0);
        if (idle > Math.max(MOST_IDLE, namespaces.size() / 2)) {
            forgetIdle();
        }
    }

    /** In a map of their own the others take no more room than they need. */
    private void forgetIdle() {
        Map<String, OfNamespace> busy = new HashMap<>();
        namespaces.forEach((name, there) -> {
            if (!there.byLabels.isEmpty()) {
                busy.put(name, there);
            }
        });
        namespaces = busy;
        idle = 0;
        changesOfIdle = changes;
    }

    /** Grows at least when another number of pods of the namespace may wait; of all namespaces where it is empty. */
    long changes(String namespace) {
        if (namespace.isEmpty()) {
            return changes;
        }
        OfNamespace there = namespaces.get(namespace);
        return there == null ? changesOfIdle : there.changes;
    }

    /** How many kinds of pods are to be asked about. */
    long cost(String namespace) {
        return of(namespace).stream().mapToLong(one -> one.byLabels.size()).sum();
    }

    /**
     * How many wait that the policy is about.
     *
     * @param onTheirWay pods that have their node, though the API server has not told so yet
     */
    int of(ReadablePolicy policy, Collection<Pod> onTheirWay) {
        int pods = 0;
        for (OfNamespace there : of(policy.policy().meta().namespace())) {
            for (Alike alike : there.byLabels.values()) {
                pods += policy.governs(alike.sample) ? alike.pods : 0;
            }
        }
        for (Pod pod : onTheirWay) {
            pods -= waiting.contains(pod) && isKept.test(pod) && policy.governs(pod) ? 1 : 0;
        }
        return pods;
    }

    /** Returns one pod of each kind that waits and that the policy is about. */
    List<Pod> samplesOf(ReadablePolicy policy, int most) {
        return of(policy.policy().meta().namespace()).stream()
                .flatMap(there -> there.byLabels.values().stream())
                .map(alike -> alike.sample)
                .filter(policy::governs)
                .limit(most)
                .toList();
    }

    int namespaces() {
        return namespaces.size();
    }

    private Collection<OfNamespace> of(String namespace) {
        if (namespace.isEmpty()) {
            return namespaces.values();
        }
        OfNamespace there = namespaces.get(namespace);
        return there == null ? List.of() : List.of(there);
    }
}
