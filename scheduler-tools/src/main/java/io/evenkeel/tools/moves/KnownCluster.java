package io.evenkeel.tools.moves;

import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.moves.Scene;
import io.evenkeel.whatif.rebalance.Move;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A copy of the cluster that follows it by the news, with the pods that wait and the owners of all. It tells of each move whether it
 * would still put the cluster right.
 */
final class KnownCluster {
    private static final String REVISION = "controller-revision-hash";

    private final ClusterSnapshot snapshot;
    private final Map<String, Pod> byUid = new HashMap<>();
    private final Map<String, String> uidByKey = new HashMap<>();
    private final Map<String, Set<String>> byOwner = new HashMap<>();
    private final Map<String, WorkloadOwner> owners = new LinkedHashMap<>();

    KnownCluster(ClusterSnapshot empty, Collection<? extends KubernetesObject> objects) {
        snapshot = empty;
        objects.forEach(this::put);
    }

    void take(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.Put(KubernetesObject object) -> put(object);
            case ClusterEvent.Removed(KubernetesObject object) -> remove(object);
        }
    }

    ClusterSnapshot snapshot() {
        return snapshot;
    }

    private void put(KubernetesObject object) {
        switch (object) {
            case Pod pod -> putPod(pod);
            case WorkloadOwner owner -> {
                owners.put(owner.meta().uid(), owner);
                snapshot.put(owner);
            }
            default -> snapshot.put(object);
        }
    }

    private void putPod(Pod pod) {
        forget(pod.key());
        if (pod.status().isFinished()) {
            snapshot.delete(pod);
            return;
        }
        snapshot.put(pod);
        byUid.put(pod.meta().uid(), pod);
        uidByKey.put(pod.key(), pod.meta().uid());
        pod.meta()
                .controller()
                .ifPresent(owner -> byOwner.computeIfAbsent(owner.uid(), _ -> new LinkedHashSet<>())
                        .add(pod.meta().uid()));
    }

    private void remove(KubernetesObject object) {
        switch (object) {
            case Pod pod -> {
                forget(pod.key());
                snapshot.delete(pod);
            }
            case WorkloadOwner owner -> {
                owners.values()
                        .removeIf(one -> one.kind() == owner.kind()
                                && one.meta().key().equals(owner.meta().key()));
                snapshot.delete(owner);
            }
            default -> snapshot.delete(object);
        }
    }

    private void forget(String key) {
        String uid = uidByKey.remove(key);
        Pod pod = uid == null ? null : byUid.remove(uid);
        if (pod != null) {
            pod.meta()
                    .controller()
                    .ifPresent(owner -> byOwner.computeIfPresent(owner.uid(), (_, its) -> {
                        its.remove(uid);
                        return its.isEmpty() ? null : its;
                    }));
        }
    }

    Optional<Pod> pod(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    List<Pod> podsOf(OwnerReference owner) {
        return byOwner.getOrDefault(owner.uid(), Set.of()).stream()
                .map(byUid::get)
                .filter(Objects::nonNull)
                .toList();
    }

    private List<Pod> staying(OwnerReference owner) {
        return podsOf(owner).stream().filter(pod -> !pod.meta().terminating()).toList();
    }

    /** Who has these pods made, if it is known. */
    Optional<WorkloadOwner> owner(OwnerReference reference) {
        return Optional.ofNullable(owners.get(reference.uid()));
    }

    /** See {@link Scene#unrest}. */
    Optional<String> unrest(Move move) {
        OwnerReference reference = move.pod().meta().controller().orElseThrow();
        WorkloadOwner owner = owners.get(reference.uid());
        if (owner == null) {
            return Optional.of("a " + reference.kind() + " is not known to make its pods again");
        }
        List<Pod> pods = podsOf(reference);
        long ready = pods.stream()
                .filter(pod -> pod.status().ready() && !pod.meta().terminating())
                .count();
        if (isRollingOut(owner, pods)) {
            return Optional.of(reference.kind() + " " + reference.name() + " is rolling out");
        }
        if (areCountedApart(move.pod(), pods)) {
            return Optional.of("pods of " + reference.kind() + " " + reference.name()
                    + " have labels that its constraints tell apart");
        }
        return ready == owner.replicas() && pods.size() == ready
                ? Optional.empty()
                : Optional.of(reference.kind() + " " + reference.name() + " is to have " + owner.replicas()
                        + " pods, and " + ready + " of " + pods.size() + " are ready");
    }

    /** Labels that were changed on a pod are not its successor's, which may then have to be elsewhere. */
    private static boolean areCountedApart(Pod moving, List<Pod> pods) {
        List<LabelSelector> selectors =
                new ArrayList<>(moving.spec().podAffinity().selectors());
        moving.spec().topologySpread().forEach(each -> selectors.add(each.labelSelector()));
        return pods.stream()
                        .map(pod -> selectors.stream()
                                .map(selector -> selector.matches(pod.labels()))
                                .toList())
                        .distinct()
                        .count()
                > 1;
    }

    /** As long as it has pods of two templates, or another ReplicaSet of its Deployment is to have pods. */
    private boolean isRollingOut(WorkloadOwner owner, List<Pod> pods) {
        Optional<OwnerReference> deployment = owner.meta().controller();
        boolean hasSibling = deployment.isPresent()
                && owners.values().stream()
                        .anyMatch(other -> other != owner
                                && other.replicas() > 0
                                && other.meta()
                                        .controller()
                                        .filter(its -> its.uid()
                                                .equals(deployment.get().uid()))
                                        .isPresent());
        return hasSibling
                || pods.stream()
                                .map(pod -> pod.labels().getOrDefault(REVISION, ""))
                                .distinct()
                                .count()
                        > 1;
    }

    /** See {@link Scene#isComplete}. */
    boolean isComplete(OwnerReference reference) {
        WorkloadOwner owner = owners.get(reference.uid());
        return owner == null || staying(reference).size() >= owner.replicas();
    }

    /**
     * Why the move is none of the plan any more.
     *
     * @param held the moves that are underway, but for this one: their successors have their places
     * @param rest the moves that are still to be made, but for this one
     */
    Optional<String> objection(Move move, Collection<Move> held, Collection<Move> rest) {
        Optional<Pod> pod =
                pod(move.pod().meta().uid()).filter(there -> !there.meta().terminating());
        if (pod.filter(there -> there.spec().nodeName().equals(move.from())).isEmpty()) {
            return Optional.of("it is not on " + move.from() + " any more");
        }
        if (snapshot.view().nodes().findPresent(move.to()) < 0) {
            return Optional.of("there is no node " + move.to());
        }
        try (Transaction _ = snapshot.begin()) {
            held.forEach(this::make);
            if (!snapshot.fitsOn(pod.get(), move.to())) {
                return Optional.of("it does not fit on " + move.to());
            }
            rest.forEach(this::make);
            snapshot.place(pod.get(), move.to());
            return snapshot.fitsOn(pod.get(), move.to())
                    ? Optional.empty()
                    : Optional.of("it would not fit on " + move.to() + " when all moves are made");
        } finally {
            snapshot.reset();
        }
    }

    private void make(Move move) {
        pod(move.pod().meta().uid())
                .filter(_ -> snapshot.view().nodes().findPresent(move.to()) >= 0)
                .ifPresent(pod -> snapshot.place(pod, move.to()));
    }

    /**
     * The nodes on which the scheduler may put the successor of a pod once it is gone: those that it likes best.
     *
     * @param compared how many nodes it compares at least; where more suit the pod, each of them may be chosen
     */
    List<String> chosenForSuccessor(Pod pod, int compared) {
        try (Transaction _ = snapshot.begin()) {
            snapshot.preemptPods(List.of(pod));
            Map<String, Long> totals = new LinkedHashMap<>();
            snapshot.scores(PodBuilder.from(pod).nodeName("").build())
                    .forEach((node, scores) -> totals.put(
                            node,
                            scores.values().stream().mapToLong(Long::longValue).sum()));
            long best =
                    totals.values().stream().mapToLong(Long::longValue).max().orElse(0);
            return totals.entrySet().stream()
                    .filter(node -> totals.size() > compared || node.getValue() == best)
                    .map(Map.Entry::getKey)
                    .toList();
        } finally {
            snapshot.reset();
        }
    }
}
