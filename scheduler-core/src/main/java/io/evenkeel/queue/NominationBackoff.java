package io.evenkeel.queue;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.QueueEntry.Wake;
import io.evenkeel.queue.QueueSettings.Neighbours;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * How soon a change has pods tried again, where room is left on nodes for pods that are nominated to them, of which plugins
 * know nothing. Thousands may wait for the room that others are to have: each change that makes some would have all of them
 * tried, and all but few in vain. These sit their backoff out. For example, of 20 pods for which 20 others go from n1:
 *
 * <pre>
 *   the first of those is gone    room for one, and 19 others are to have it      they sit their backoff out
 *   the last is gone              room for 20: each fits beside the other 19      they are tried at once
 * </pre>
 */
record NominationBackoff(NominatedPods nominated, Neighbours neighbours) {
    private static final Collection<ChangeKind> MAKING_ROOM = List.of(
            ChangeKind.ASSIGNED_POD_DELETED,
            ChangeKind.ASSIGNED_POD_SCALED_DOWN,
            ChangeKind.NODE_ADDED,
            ChangeKind.NODE_ALLOCATABLE);

    /** How the change wakes a pod that it may help, as a plugin says, or that waits for room on its node. */
    Wake wakes(QueueEntry entry, ClusterChange change) {
        if (change.internal()) {
            return Wake.AFTER_WHOLE_BACKOFF;
        }
        return nodeOf(change)
                .filter(node -> nominated.isAnyAhead(entry.pod(), node))
                .filter(node -> !fits(entry, node))
                .map(_ -> Wake.AFTER_WHOLE_BACKOFF)
                .orElse(Wake.AFTER_BACKOFF);
    }

    /** How it wakes a pod that others' room keeps out, whatever the change is. */
    Wake wakesCrowdedOut(QueueEntry entry, ClusterChange change) {
        return change.isAnyOf(MAKING_ROOM) ? wakes(entry, change) : Wake.AFTER_WHOLE_BACKOFF;
    }

    /** Filters that fail count as yes: better an attempt in vain. */
    private boolean fits(QueueEntry entry, String node) {
        try {
            return neighbours.fit(entry.admitted(), node, node.equals(entry.nominatedNode()));
        } catch (Throwable thrown) {
            PluginFault.of(thrown); // unless it is the JVM that fails
            return true;
        }
    }

    /** The node that the change is about, if it is about one. */
    static Optional<String> nodeOf(ClusterChange change) {
        return change.before(Pod.class)
                .or(() -> change.after(Pod.class))
                .map(pod -> pod.spec().nodeName())
                .or(() -> change.after(Node.class).map(Node::name));
    }
}
