package io.evenkeel.queue;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.QueueEntry.Wake;
import io.evenkeel.queue.QueueObserver.QueueEvents;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The pods of the queue that may fit somewhere soon, and those for which others go meanwhile. */
public final class Preemptors {
    private static final Optional<String> NOWHERE = Optional.of("");

    private final KnownEntries entries;
    private final QueueStates states;
    private final NominatedPods nominated;
    private final NominatedCapacity rooms;
    private final SleepingPods sleeping;

    Preemptors(
            KnownEntries entries,
            QueueStates states,
            NominatedPods nominated,
            NominatedCapacity rooms,
            SleepingPods sleeping) {
        this.sleeping = sleeping;
        this.entries = entries;
        this.states = states;
        this.nominated = nominated;
        this.rooms = rooms;
    }

    /** Extenders are asked about the pod: others leave it the room that it is nominated to as if it waited. */
    public void keepRoom(Attempt attempt) {
        nominated.put(attempt.entry());
    }

    /** Whether pods of this priority leave others room on some node, whom plugins do not see there. */
    public boolean leaveRoom(int priority) {
        return nominated.isAnyFrom(priority);
    }

    /** Their answer is there, and the pod decided before any other. */
    public void leaveRoom(Attempt attempt) {
        nominated.remove(attempt.entry());
    }

    /**
     * The status of a pod whose attempt has ended will name this node, although news of the pod that are older may not;
     * empty for none.
     */
    public void nominate(Attempt attempt, String node, long now) {
        QueueEntry entry = attempt.entry();
        String kept = nominated.nodeOf(entry);
        attempt.nominate(node);
        if (entry.isKnown) {
            rooms.reconsidered(entry, kept, now);
        }
    }

    /**
     * The pod is not tried until it is released: others are on their way out for it, and until this shows it would choose
     * more of them.
     *
     * @param plugin that chose them
     */
    public void hold(Pod pod, String plugin, long now) {
        entries.find(pod).ifPresent(entry -> {
            entry.heldBy = Optional.of(plugin);
            if (entry.isLinedUp()) {
                states.leave(entry);
                states.enqueue(entry, Wake.AFTER_BACKOFF, QueueEvents.ATTEMPT_FAILURE, now);
            }
        });
    }

    /**
     * The pod may be tried again. It is, if something happened meanwhile that may help it, or once its backoff is over if
     * somebody does not go for it after all, who may stay the next time too.
     */
    public void release(Pod pod, boolean inVain, long now) {
        entries.find(pod).ifPresent(entry -> {
            entry.heldBy = Optional.empty();
            if (inVain && entry.isAsleep()) {
                states.wake(entry, Wake.AFTER_WHOLE_BACKOFF, QueueEvents.FORCE_ACTIVATE, now);
            } else if (entry.state == QueueState.GATED) {
                states.wake(entry, Wake.AFTER_BACKOFF, QueueEvents.FORCE_ACTIVATE, now);
            }
        });
    }

    /** A change has come: wakes the pods for whom one has left their node, whichever plugins turned them away. */
    void changed(ClusterChange change, long now) {
        if (change.is(ChangeKind.ASSIGNED_POD_DELETED)) {
            String node = change.before(Pod.class).orElseThrow().spec().nodeName();
            for (QueueEntry entry : nominated.on(node)) {
                if (makesWay(change, entry)) {
                    wake(entry, change, now);
                }
            }
        }
    }

    private void wake(QueueEntry entry, ClusterChange change, long now) {
        if (entry.state == QueueState.UNSCHEDULABLE) {
            states.wake(entry, sleeping.wakes(entry, change), change.label(), now);
        } else if (entry.isSittingOut() && sleeping.wakes(entry, change) == Wake.AFTER_BACKOFF) {
            states.letOutEarly(entry);
        }
    }

    /**
     * Whether a less important pod has left the node that this one is nominated to: it may have been the last that was waited
     * for, and what it leaves too little, so that others have to go elsewhere.
     */
    static boolean makesWay(ClusterChange change, QueueEntry entry) {
        return change.is(ChangeKind.ASSIGNED_POD_DELETED)
                && change.before(Pod.class)
                        .filter(gone -> gone.spec().nodeName().equals(entry.nominatedNode()))
                        .filter(gone -> LesserPods.isLesser(gone, entry.pod()))
                        .isPresent();
    }

    /**
     * Pods of lower priority are nominated to the node no longer, as they may not fit there beside this one: they are tried
     * again for another. Returns them; what their status says is still to be taken away.
     */
    public List<Pod> displace(Pod pod, String node, long now) {
        List<Pod> displaced = new ArrayList<>();
        for (QueueEntry entry : nominated.behind(pod, node)) {
            if (entry.isKnown) {
                displaced.add(entry.pod());
            }
            entry.heldPlace = Optional.empty();
            entry.nominated = NOWHERE;
            nominated.put(entry);
            if (entry.isAsleep()) {
                states.wake(entry, Wake.AFTER_BACKOFF, QueueEvents.FORCE_ACTIVATE, now);
            }
        }
        return displaced;
    }
}
