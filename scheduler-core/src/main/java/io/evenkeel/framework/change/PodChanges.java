package io.evenkeel.framework.change;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.cluster.shape.PodRequests;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Pod.Departure;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tells in what respects a pod has changed, for pods that wait or for itself, in the order of metrics. */
final class PodChanges {
    private static final List<ChangeKind> ADDED = List.of(ChangeKind.ASSIGNED_POD_ADDED);
    private static final List<ChangeKind> DELETED = List.of(ChangeKind.ASSIGNED_POD_DELETED);
    private static final List<ChangeKind> REPLACED =
            List.of(ChangeKind.ASSIGNED_POD_ADDED, ChangeKind.ASSIGNED_POD_DELETED);

    private PodChanges() {}

    /** Of a pod on a node. A pod that is on none, or has run to its end, is none. */
    static List<ChangeKind> assigned(Optional<Pod> before, Optional<Pod> after) {
        Optional<Pod> was = before.filter(PodChanges::takesRoom);
        Optional<Pod> is = after.filter(PodChanges::takesRoom);
        if (was.isEmpty()) {
            return is.isEmpty() ? List.of() : ADDED;
        }
        if (is.isEmpty()) {
            return DELETED;
        }
        return isSame(was.get(), is.get()) ? updates(was.get(), is.get()) : REPLACED;
    }

    /** Of a pod that waits; its status is the scheduler's own writing and changes nothing. */
    static List<ChangeKind> own(Pod before, Pod after) {
        List<ChangeKind> kinds = new ArrayList<>();
        if (!before.labels().equals(after.labels())) {
            kinds.add(ChangeKind.OWN_LABELS);
        }
        if (PodRequests.isScaledDown(before, after)) {
            kinds.add(ChangeKind.OWN_SCALED_DOWN);
        }
        if (!before.spec().tolerations().equals(after.spec().tolerations())) {
            kinds.add(ChangeKind.OWN_TOLERATIONS);
        }
        if (!before.spec().schedulingGates().isEmpty()
                && after.spec().schedulingGates().isEmpty()) {
            kinds.add(ChangeKind.OWN_GATES_GONE);
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

    private static List<ChangeKind> updates(Pod before, Pod after) {
        List<ChangeKind> kinds = new ArrayList<>();
        if (!before.labels().equals(after.labels())) {
            kinds.add(ChangeKind.ASSIGNED_POD_LABELS);
        }
        if (PodRequests.isScaledDown(before, after)) {
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
