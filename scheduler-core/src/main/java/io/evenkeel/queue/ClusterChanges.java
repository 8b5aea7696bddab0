package io.evenkeel.queue;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ChangeKind.Action;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.cluster.shape.PodRequests;
import io.evenkeel.cluster.shape.PodRequests.SpecifiedResources;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Pod.Departure;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.Service;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.PolicyObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tells what has changed from one version of an object to the next, if anything that keeps pods waiting. */
public final class ClusterChanges {
    private static final List<ChangeKind> ADDED = List.of(ChangeKind.ASSIGNED_POD_ADDED);
    private static final List<ChangeKind> DELETED = List.of(ChangeKind.ASSIGNED_POD_DELETED);
    private static final List<ChangeKind> REPLACED =
            List.of(ChangeKind.ASSIGNED_POD_ADDED, ChangeKind.ASSIGNED_POD_DELETED);

    private ClusterChanges() {}

    /** The same by what pods took of a node in the first level, which matters only where a pod in place has changed. */
    public static Optional<ClusterChange> between(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        return between(before, after, PodRequests.OF_CONTAINERS);
    }

    /**
     * The change from {@code before} to {@code after}, of which at least one must be there. Nothing where no filter
     * reads what has changed, as with heartbeats; nothing either for pods that are on no node, see {@link
     * #ofWaitingPod}.
     *
     * @param requests what pods in place take
     */
    public static Optional<ClusterChange> between(
            Optional<KubernetesObject> before, Optional<KubernetesObject> after, PodRequests requests) {
        KubernetesObject some = after.or(() -> before).orElseThrow();
        List<ChangeKind> kinds = switch (some) {
            case Node _ -> nodeKinds(before.map(Node.class::cast), after.map(Node.class::cast));
            case Pod _ -> podKinds(before.map(Pod.class::cast), after.map(Pod.class::cast), requests);
            case UnreadObject _ -> List.of();
            default -> kinds(some.kindName(), before, after);
        };
        return kinds.isEmpty() ? Optional.empty() : Optional.of(new ClusterChange(kinds, before, after));
    }

    /** The change where a pod counts on a node no longer that it was to go to. */
    public static Optional<ClusterChange> ofFreedPlace(Pod pod, String node) {
        return between(Optional.of(PodBuilder.from(pod).nodeName(node).build()), Optional.empty());
    }

    /** Tells the change of a pod that waits for a node; nothing where it is only its status or version. */
    public static Optional<ClusterChange> ofWaitingPod(Pod before, Pod after) {
        List<ChangeKind> kinds = ownKinds(before, after);
        return kinds.isEmpty()
                ? Optional.empty()
                : Optional.of(new ClusterChange(kinds, Optional.of(before), Optional.of(after)));
    }

    private static List<ChangeKind> kinds(
            String kindName, Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        if (before.isPresent() && after.isPresent()) {
            return isNews(before.get(), after.get()) ? List.of(ChangeKind.of(kindName, Action.UPDATED)) : List.of();
        }
        return List.of(ChangeKind.of(kindName, after.isPresent() ? Action.ADDED : Action.DELETED));
    }

    /** Whether plugins read what is other now; of most kinds nothing else is read at all. */
    private static boolean isNews(KubernetesObject before, KubernetesObject after) {
        return switch (after) {
            case Namespace _ -> !before.meta().labels().equals(after.meta().labels());
            case Service service -> !((Service) before).selector().equals(service.selector());
            case WorkloadOwner owner -> isNews((WorkloadOwner) before, owner);
            case PolicyObject policy -> !policy.asksForTheSameAs((PolicyObject) before);
            default -> true;
        };
    }

    /** How many pods it is to have is read where these are placed together. */
    private static boolean isNews(WorkloadOwner before, WorkloadOwner after) {
        return !before.selector().equals(after.selector()) || before.replicas() != after.replicas();
    }

    private static List<ChangeKind> nodeKinds(Optional<Node> before, Optional<Node> after) {
        if (after.isEmpty()) {
            return List.of(ChangeKind.NODE_DELETED);
        }
        return before.isEmpty() ? List.of(ChangeKind.NODE_ADDED) : nodeUpdates(before.get(), after.get());
    }

    private static List<ChangeKind> nodeUpdates(Node before, Node after) {
        List<ChangeKind> kinds = new ArrayList<>();
        if (!before.allocatable().equals(after.allocatable())) {
            kinds.add(ChangeKind.NODE_ALLOCATABLE);
        }
        if (!before.labels().equals(after.labels())) {
            kinds.add(ChangeKind.NODE_LABELS);
        }
        if (before.unschedulable() != after.unschedulable() || !before.taints().equals(after.taints())) {
            kinds.add(ChangeKind.NODE_TAINTS);
        }
        if (!before.declaredFeatures().equals(after.declaredFeatures())) {
            kinds.add(ChangeKind.NODE_DECLARED_FEATURES);
        }
        return kinds;
    }

    /** Of a pod on a node. A pod that is on none, or has run to its end, is none. */
    private static List<ChangeKind> podKinds(Optional<Pod> before, Optional<Pod> after, PodRequests requests) {
        Optional<Pod> was = before.filter(ClusterChanges::takesRoom);
        Optional<Pod> is = after.filter(ClusterChanges::takesRoom);
        if (was.isEmpty()) {
            return is.isEmpty() ? List.of() : ADDED;
        }
        if (is.isEmpty()) {
            return DELETED;
        }
        return isSame(was.get(), is.get()) ? podUpdates(was.get(), is.get(), requests) : REPLACED;
    }

    /** Of a pod that waits; but for names of claims its status is the scheduler's own writing and changes nothing. */
    private static List<ChangeKind> ownKinds(Pod before, Pod after) {
        List<ChangeKind> kinds = new ArrayList<>();
        if (!before.labels().equals(after.labels())) {
            kinds.add(ChangeKind.OWN_LABELS);
        }
        if (SpecifiedResources.isScaledDown(before, after)) {
            kinds.add(ChangeKind.OWN_SCALED_DOWN);
        }
        if (!before.spec().tolerations().equals(after.spec().tolerations())) {
            kinds.add(ChangeKind.OWN_TOLERATIONS);
        }
        if (!before.spec().schedulingGates().isEmpty()
                && after.spec().schedulingGates().isEmpty()) {
            kinds.add(ChangeKind.OWN_GATES_GONE);
        }
        if (!before.status().claims().equals(after.status().claims())) {
            kinds.add(ChangeKind.OWN_CLAIMS);
        }
        if (!before.meta().controller().equals(after.meta().controller())
                || !otherwise(before).equals(otherwise(after))) {
            kinds.add(ChangeKind.OWN_OTHER);
        }
        return kinds;
    }

    /** The spec without what has a kind of its own. */
    private static PodSpec otherwise(Pod pod) {
        return PodBuilder.from(pod)
                .withoutTolerations()
                .withoutSchedulingGates()
                .build()
                .spec();
    }

    private static List<ChangeKind> podUpdates(Pod before, Pod after, PodRequests requests) {
        List<ChangeKind> kinds = new ArrayList<>();
        if (!before.labels().equals(after.labels())) {
            kinds.add(ChangeKind.ASSIGNED_POD_LABELS);
        }
        if (requests.isScaledDown(before, after)) {
            kinds.add(ChangeKind.ASSIGNED_POD_SCALED_DOWN);
        }
        if (!before.spec().tolerations().equals(after.spec().tolerations())) {
            kinds.add(ChangeKind.ASSIGNED_POD_TOLERATIONS);
        }
        if (!before.meta().terminating() && after.meta().terminating()) {
            kinds.add(ChangeKind.ASSIGNED_POD_TERMINATING);
        }
        if (before.departure() == Departure.STAYS && after.departure() == Departure.IS_DISRUPTED) {
            kinds.add(ChangeKind.ASSIGNED_POD_DISRUPTED);
        }
        if (kinds.isEmpty() && !before.spec().equals(after.spec())) {
            kinds.add(ChangeKind.ASSIGNED_POD_OTHER);
        }
        return kinds;
    }

    private static boolean takesRoom(Pod pod) {
        return pod.isPlaced() && !pod.status().isFinished();
    }

    /** Another UID is another pod of the same name; another node is as good as that. */
    private static boolean isSame(Pod before, Pod after) {
        return before.meta().uid().equals(after.meta().uid())
                && before.spec().nodeName().equals(after.spec().nodeName());
    }
}
