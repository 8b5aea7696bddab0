package io.evenkeel.queue;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.Optional;

/**
 * A pod that was taken out of the queue to be placed. Ended by {@code bound}, {@code done}, {@code rejected} or
 * {@code failed}.
 */
public final class Attempt {
    private final QueueEntry entry;
    private final int number;
    private final boolean flushed;

    Attempt(QueueEntry entry) {
        this.entry = entry;
        this.number = entry.attempts;
        this.flushed = entry.flushed;
    }

    public Pod pod() {
        return entry.pod();
    }

    /** The same with its shape; the queue's own, until the attempt ends. */
    public PodInfo admitted() {
        return entry.admitted();
    }

    /** How often the pod was tried, this time included. */
    public int attempts() {
        return number;
    }

    public boolean needsExtenders() {
        return entry.needsExtenders;
    }

    /** When it could first have been the pod's turn: when it came, or when the last of its gates opened. */
    public long firstActiveAt() {
        return entry.firstActiveAt;
    }

    /** The node that the pod's status names, once all is written that was asked for; empty for none. */
    public String nominatedNode() {
        return entry.nominatedNode();
    }

    /** The node that the pod's status names by the last news of it; empty for none. */
    public String nodeByNews() {
        return entry.nodeByNews();
    }

    /** The pod's status will name this node, although news of the pod that are older may not. */
    public void nominate(String node) {
        entry.nominated = Optional.of(node);
        if (!node.isEmpty()) {
            entry.heldPlace = Optional.empty();
        }
    }

    /** Whether the pod was still there when last heard of; not so once it was removed or another took its name. */
    public boolean stillWanted() {
        return entry.isKnown;
    }

    /** Whether the pod was tried again only because it had been unschedulable for so long. */
    boolean afterFlush() {
        return flushed;
    }

    QueueEntry entry() {
        return entry;
    }

    boolean isOpen() {
        return entry.isKnown && entry.state == QueueState.IN_FLIGHT && entry.attempts == number;
    }

    @Override
    public String toString() {
        return "attempt " + number + " of " + entry.pod().key();
    }
}
