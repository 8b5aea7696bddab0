package io.evenkeel.queue;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.function.ObjLongConsumer;

/**
 * The room that is left on nodes for pods which wait and are nominated to them: where it is left no longer, others may fit.
 *
 * @param changes told of room that is left no longer, and when, as if the pod had been there
 */
record NominatedCapacity(NominatedPods nominated, ObjLongConsumer<ClusterChange> changes) {
    /**
     * The pod, or the node that it is nominated to, may be another by news of it.
     *
     * @param before the pod that the room was left for
     * @param kept where it was left
     */
    void changed(QueueEntry entry, Pod before, String kept, long now) {
        if (isLeftNoLonger(entry, kept)) {
            freed(before, kept, now);
        }
    }

    /** The same by an attempt to place the pod, which nothing need have led to. */
    void reconsidered(QueueEntry entry, String kept, long now) {
        if (isLeftNoLonger(entry, kept)) {
            ClusterChanges.ofFreedPlace(entry.pod(), kept).ifPresent(freed -> changes.accept(freed.asInternal(), now));
        }
    }

    private boolean isLeftNoLonger(QueueEntry entry, String kept) {
        if (entry.state == QueueState.IN_FLIGHT) {
            nominated.refresh(entry);
            return false;
        }
        nominated.put(entry);
        return !kept.isEmpty() && !kept.equals(nominated.nodeOf(entry));
    }

    /** A gate has shut before the pod: where room was left for it, that is no longer so. */
    void gated(QueueEntry entry, long now) {
        String kept = entry.roomBefore;
        if (!kept.isEmpty() && !kept.equals(nominated.nodeOf(entry))) {
            entry.roomBefore = "";
            freed(entry.pod(), kept, now);
        }
    }

    /** Room is left for the pod no longer. */
    void freed(Pod pod, String node, long now) {
        if (!node.isEmpty()) {
            ClusterChanges.ofFreedPlace(pod, node).ifPresent(freed -> changes.accept(freed, now));
        }
    }
}
