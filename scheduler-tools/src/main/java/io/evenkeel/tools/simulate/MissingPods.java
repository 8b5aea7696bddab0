package io.evenkeel.tools.simulate;

import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.tools.simulate.Arrival.Cause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pods that owners in the cluster are to have and have not made yet: pods of a StatefulSet come one after the other, once the
 * one before is in place. To be applied after all other changes, so that each owner has as many pods as it is to have.
 */
record MissingPods() implements ClusterChange {
    @Override
    public void apply(ChangedCluster cluster) {
        Map<String, List<Pod>> byOwner = new HashMap<>();
        for (Pod pod : cluster.pods()) {
            pod.meta()
                    .controller()
                    .ifPresent(owner -> byOwner.computeIfAbsent(
                                    title(owner.kind(), pod.namespace() + "/" + owner.name()), _ -> new ArrayList<>())
                            .add(pod));
        }
        for (WorkloadOwner.Kind kind : WorkloadOwner.Kind.values()) {
            for (WorkloadOwner owner : cluster.picture().all(kind.kindName(), WorkloadOwner.class)) {
                complete(cluster, owner, byOwner.getOrDefault(title(owner), List.of()));
            }
        }
    }

    /** The place of a StatefulSet's pod is free once it is gone; others are replaced as soon as they are told to go. */
    private static void complete(ChangedCluster cluster, WorkloadOwner owner, List<Pod> there) {
        boolean isStateful = owner.kind() == WorkloadOwner.Kind.STATEFUL_SET;
        long counted = there.stream()
                .filter(pod -> isStateful || !pod.meta().terminating())
                .count();
        long missing = owner.replicas() - counted;
        if (missing <= 0) {
            return;
        }
        String title = title(owner);
        if (there.isEmpty()) {
            cluster.remark(title + " is to have " + owner.replicas() + " and has no pod whose like could be made: they"
                    + " are left out");
            return;
        }
        Workload workload = cluster.owners().workloadOf(there.getFirst());
        if (isStateful) {
            new StatefulGrowth(cluster, workload).grow(there, owner.replicas(), Cause.MISSING);
        } else {
            for (int i = 0; i < missing; i++) {
                cluster.comes(Arrival.of(cluster.successors().another(there.getFirst()), workload, Cause.MISSING));
            }
        }
        cluster.remark(title + " is to have " + owner.replicas() + (owner.replicas() == 1 ? " pod" : " pods")
                + ", of which " + missing + (missing == 1 ? " was" : " were") + " not made yet");
    }

    private static String title(WorkloadOwner owner) {
        return title(owner.kindName(), owner.meta().key());
    }

    private static String title(String kind, String key) {
        return kind + " " + key;
    }
}
