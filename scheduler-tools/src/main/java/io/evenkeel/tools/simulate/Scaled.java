package io.evenkeel.tools.simulate;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.workload.DeletionOrder;
import io.evenkeel.problem.NearestName;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.simulate.Arrival.Cause;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A workload of the cluster with so many pods. More are made like those there are, as templates are not known; fewer go in the
 * order in which controllers choose, as far as it can be seen: restarts cannot, and a pod is taken to be ready since its start.
 */
record Scaled(Workload workload, int replicas) implements ClusterChange {
    @Override
    public void apply(ChangedCluster cluster) {
        List<Pod> pods = podsOf(cluster, workload);
        if (pods.isEmpty()) {
            throw new UserProblem("--scale: there is no manifest of " + workload.title()
                    + ", and no pod of it in the cluster whose like could be made" + hint(cluster));
        }
        to(cluster, pods, replicas);
        cluster.changed(workload.title() + " scaled from " + pods.size() + " to " + replicas);
    }

    /** The pods of a workload that are not on their way out. */
    static List<Pod> podsOf(ChangedCluster cluster, Workload workload) {
        return cluster.pods().stream()
                .filter(pod -> !pod.meta().terminating()
                        && pod.namespace().equals(workload.namespace())
                        && cluster.owners().workloadOf(pod).equals(workload))
                .toList();
    }

    void to(ChangedCluster cluster, List<Pod> pods, int count) {
        if (count < pods.size()) {
            cluster.go(toGo(cluster, pods, pods.size() - count));
        } else if (workload.kind().equals(Workload.STATEFUL_SET)) {
            new StatefulGrowth(cluster, workload).grow(pods, count, Cause.NEW);
        } else {
            Pod like = newest(cluster, pods);
            for (int i = pods.size(); i < count; i++) {
                cluster.comes(Arrival.of(cluster.successors().another(like), workload, Cause.NEW));
            }
        }
        tellOwner(cluster, newest(cluster, pods), count);
    }

    private List<Pod> toGo(ChangedCluster cluster, List<Pod> pods, int fewer) {
        if (workload.kind().equals(Workload.STATEFUL_SET)) {
            return pods.stream()
                    .sorted(Comparator.comparingInt((Pod pod) -> StatefulGrowth.ordinal(workload, pod))
                            .reversed())
                    .limit(fewer)
                    .toList();
        }
        Instant now = lastStart(cluster);
        boolean countsNeighbours = workload.kind().equals(Workload.DEPLOYMENT);
        List<String> neighbours = countsNeighbours
                ? pods.stream().map(pod -> pod.spec().nodeName()).toList()
                : List.of();
        return new DeletionOrder(neighbours, now).first(fewer, pods, pod -> candidate(pod, now));
    }

    /** The time of the picture: no pod has started later. */
    private static Instant lastStart(ChangedCluster cluster) {
        return cluster.pods().stream()
                .map(pod -> started(pod, Instant.EPOCH))
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    private static Instant started(Pod pod, Instant otherwise) {
        try {
            return Instant.parse(pod.status().startTime());
        } catch (DateTimeParseException unknown) {
            return otherwise;
        }
    }

    private static DeletionOrder.Candidate candidate(Pod pod, Instant now) {
        Instant since = started(pod, now);
        return new DeletionOrder.Candidate(
                pod.meta().uid().isEmpty() ? pod.key() : pod.meta().uid(),
                pod.spec().nodeName(),
                pod.status().phase(),
                pod.status().ready(),
                DeletionOrder.cost(pod.meta().annotations().getOrDefault(Annotations.DELETION_COST, "")),
                pod.status().ready() ? since : now,
                0,
                0,
                since);
    }

    /** One of the ReplicaSet that is to have the most pods, which is that of the present template. */
    private static Pod newest(ChangedCluster cluster, List<Pod> pods) {
        return pods.stream()
                .max(Comparator.comparingInt((Pod pod) -> owner(cluster, pod))
                        .thenComparing(Pod::key, Comparator.reverseOrder()))
                .orElseThrow();
    }

    private static int owner(ChangedCluster cluster, Pod pod) {
        return pod.meta()
                .controller()
                .flatMap(owner -> cluster.picture().find(owner.kind(), pod.namespace() + "/" + owner.name()))
                .map(object -> object instanceof WorkloadOwner known ? known.replicas() : 0)
                .orElse(0);
    }

    static void tellOwner(ChangedCluster cluster, Pod pod, int count) {
        pod.meta()
                .controller()
                .flatMap(owner -> cluster.picture().find(owner.kind(), pod.namespace() + "/" + owner.name()))
                .ifPresent(object -> {
                    if (object instanceof WorkloadOwner known) {
                        cluster.picture().put(new WorkloadOwner(known.kind(), known.meta(), known.selector(), count));
                    }
                });
    }

    private String hint(ChangedCluster cluster) {
        Set<String> known = new TreeSet<>();
        cluster.pods().stream()
                .map(cluster.owners()::workloadOf)
                .filter(other -> other.kind().equals(workload.kind())
                        && other.namespace().equals(workload.namespace()))
                .forEach(other -> known.add(other.name()));
        return NearestName.hint(workload.name(), known);
    }
}
