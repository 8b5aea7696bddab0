package io.evenkeel.tools.simulate;

import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.simulate.Arrival.Cause;
import io.evenkeel.tools.simulate.ClusterChange.MissingPods;
import io.evenkeel.tools.why.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A cluster that is being changed: what there is, less the pods that are to be placed, these in the order in which they come,
 * and what is to be said of it. Pods that wait in the cluster come first, as they have waited longest.
 */
final class ChangedCluster {
    private static final int MOST_MADE = 1_000_000;

    private final ClusterPicture before;
    private final ClusterPicture picture;
    private final Owners owners;
    private final Successors successors;
    private final List<Arrival> arrivals = new ArrayList<>();
    private final List<Pod> gone = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();
    private final Set<String> remarks = new LinkedHashSet<>();
    private final long most;
    private long made;

    ChangedCluster(ClusterPicture before) {
        this(before, MOST_MADE);
    }

    /** @param most how many pods and nodes can be made up */
    ChangedCluster(ClusterPicture before, int most) {
        this.before = before;
        this.most = most;
        picture = before.copy();
        owners = new Owners(picture);
        successors = new Successors(picture);
        for (Pod pod : before.pods()) {
            if (!pod.isPlaced()) {
                picture.remove(pod);
                if (!pod.meta().terminating()) {
                    arrivals.add(Arrival.of(pod, owners.workloadOf(pod), Cause.WAITING));
                }
            }
        }
    }

    ClusterPicture before() {
        return before;
    }

    /** As it is without the pods that come. */
    ClusterPicture picture() {
        return picture;
    }

    Owners owners() {
        return owners;
    }

    Successors successors() {
        return successors;
    }

    List<Arrival> arrivals() {
        return List.copyOf(arrivals);
    }

    /** The pods that have gone for good, as nothing makes them again. */
    List<Pod> gone() {
        return List.copyOf(gone);
    }

    List<String> changes() {
        return List.copyOf(changes);
    }

    /** The facts to know beside the answer, a sentence each. */
    List<String> remarks() {
        return List.copyOf(remarks);
    }

    void changed(String what) {
        changes.add(what);
    }

    void remark(String what) {
        remarks.add(what);
    }

    /** Whether so many pods or nodes more can be made up, which are counted then. */
    boolean canMake(long more) {
        boolean fits = made + more <= most;
        made += fits ? more : 0;
        return fits;
    }

    /** @throws UserProblem if they are too many */
    void make(long more) {
        if (!canMake(more)) {
            throw new UserProblem("at most " + most + " pods and nodes can be made up, not " + (made + more));
        }
    }

    /** A pod comes, to be placed; one that is placed already is there. */
    void comes(Arrival arrival) {
        if (arrival.pod().isPlaced()) {
            picture.put(arrival.pod());
        } else {
            arrivals.add(arrival);
        }
    }

    /** A pod goes from its node, and its owner makes it again, if it has one that does. */
    void goesToComeAgain(Pod pod) {
        picture.remove(pod);
        if (Owners.isMadeAgain(pod)) {
            if (!pod.meta().terminating()) {
                arrivals.add(Arrival.instead(pod, successors.of(pod), owners.workloadOf(pod), Cause.AGAIN));
            }
        } else {
            gone.add(pod);
        }
    }

    /** Pods go, whether they are in place or wait, as they are wanted no longer. */
    void go(Collection<Pod> pods) {
        Set<String> keys = pods.stream().map(Pod::key).collect(Collectors.toSet());
        pods.forEach(picture::remove);
        arrivals.removeIf(arrival -> keys.contains(arrival.pod().key()));
    }

    /** Makes the changes, and what controllers make of them. */
    void change(List<ClusterChange> all) {
        all.forEach(change -> change.apply(this));
        new MissingPods().apply(this);
        settleClaims();
    }

    /** Claims to devices follow the pods that have gone and come. */
    private void settleClaims() {
        Set<String> stay = new HashSet<>();
        picture.pods().forEach(pod -> stay.add(pod.meta().uid()));
        arrivals.stream()
                .filter(arrival -> arrival.instead().isEmpty())
                .forEach(arrival -> stay.add(arrival.pod().meta().uid()));
        DeviceClaims claims = new DeviceClaims(before, picture, _ -> {}, remarks::add);
        claims.forget(uid -> !stay.contains(uid));
        arrivals.replaceAll(arrival -> arrival.with(claims.supplied(arrival.pod())));
    }

    /** All pods of the cluster, in place or on their way. */
    List<Pod> pods() {
        List<Pod> all = new ArrayList<>(picture.pods());
        arrivals.forEach(arrival -> all.add(arrival.pod()));
        return all;
    }

    /** Which workload pods belong to: what their ReplicaSet is owned by, else what they are owned by themselves. */
    record Owners(ClusterPicture picture) {
        /** A pod that nothing owns is its own. */
        Workload workloadOf(Pod pod) {
            String namespace = pod.namespace();
            Optional<OwnerReference> owner = pod.meta().controller();
            if (owner.isEmpty()) {
                return new Workload(Workload.POD, namespace, pod.name());
            }
            Optional<OwnerReference> above = owner.get().kind().equals(Workload.REPLICA_SET)
                    ? picture.find(
                                    Workload.REPLICA_SET,
                                    namespace + "/" + owner.get().name())
                            .flatMap(set -> set.meta().controller())
                    : Optional.empty();
            OwnerReference root = above.orElse(owner.get());
            return new Workload(root.kind(), namespace, root.name());
        }

        /** Whether something makes another pod when this one is gone. */
        static boolean isMadeAgain(Pod pod) {
            return pod.meta()
                    .controller()
                    .filter(owner -> !owner.keepsPodsOnNodes())
                    .isPresent();
        }

        /** Whether the pod belongs to its node: a DaemonSet's pod, or one that the API server has as a mirror only. */
        static boolean isOfItsNode(Pod pod) {
            return pod.meta()
                    .controller()
                    .filter(OwnerReference::keepsPodsOnNodes)
                    .isPresent();
        }
    }
}
