package io.evenkeel.queue;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.run.GroupRunner;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.QueueEntry.Wake;
import io.evenkeel.queue.QueueObserver.QueueEvents;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pods of the queue that are placed together with others. When it is the turn of one, others of its group may be taken
 * out with it that are not active: what keeps them back is theirs alone, and together they may fit.
 */
public final class QueuedGroups {
    private final KnownEntries entries;
    private final QueueStates states;

    QueuedGroups(KnownEntries entries, QueueStates states) {
        this.entries = entries;
        this.states = states;
    }

    /** The pods of the group that can be taken, as they came: no gate holds them, and they are not in flight. */
    public List<Pod> waiting(GroupKey group) {
        return entries.of(group).stream()
                .filter(QueuedGroups::mayBeTaken)
                .map(QueueEntry::pod)
                .toList();
    }

    /** Whether the turn of the group comes, whatever else does or does not. */
    public boolean isAnyLinedUp(GroupKey group) {
        return entries.of(group).stream().anyMatch(entry -> entry.isLinedUp() && mayBeTaken(entry));
    }

    /** The pod with its shape; the queue's own, until it changes. */
    public Optional<PodInfo> admitted(Pod pod) {
        return entries.find(pod).map(QueueEntry::admitted);
    }

    /** Takes such a pod out to be placed, in turn or not. */
    public Optional<Attempt> take(Pod pod, long now) {
        return entries.find(pod).filter(QueuedGroups::mayBeTaken).map(entry -> states.take(entry, now));
    }

    /** The pod is tried with all of a gang, and gives way to others from now on; whether that was known. */
    public boolean noteGang(Attempt attempt) {
        boolean isKnown = attempt.entry().isOfGang;
        attempt.entry().isOfGang = true;
        return isKnown;
    }

    /** It is not its turn after all: others go before it that are of no gang. */
    public void giveBack(Attempt attempt, long now) {
        states.takeBack(attempt);
        states.comeBack(attempt.entry(), now);
    }

    /** It is not its turn after all, and not before that time. */
    public void putOff(Attempt attempt, long until, long now) {
        states.takeBack(attempt);
        states.putOff(attempt.entry(), until, now);
    }

    private static boolean mayBeTaken(QueueEntry entry) {
        return (entry.isLinedUp() || entry.state == QueueState.UNSCHEDULABLE)
                && entry.heldBy.isEmpty()
                && !entry.pod().meta().terminating();
    }

    /** Whether others are on their way out for one of the group. */
    public boolean isHeld(GroupKey group) {
        return entries.of(group).stream().anyMatch(entry -> entry.heldBy.isPresent());
    }

    /** A pod is new in the queue; one that waits for others itself is not the one that was missing. */
    void came(QueueEntry entry, long now) {
        if (!waitsForOthers(entry)) {
            entry.group().ifPresent(group -> joined(group, now));
        }
    }

    /** There is one more of the group, which may be what those wait for that a gate holds. */
    public void joined(GroupKey group, long now) {
        if (!states.isAnyGated(group)) {
            return;
        }
        for (QueueEntry entry : entries.of(group)) {
            if (waitsForOthers(entry)) {
                states.wake(entry, Wake.AT_ONCE, QueueEvents.FORCE_ACTIVATE, now);
                if (waitsForOthers(entry)) {
                    // they wait for the same, as a rule
                    return;
                }
            }
        }
    }

    /** Wakes one of the pods that a gang's turn left asleep, as the group needs less now; all others are tried with it. */
    public void wakeOne(GroupKey group, long now) {
        entries.of(group).stream()
                .filter(entry -> entry.state == QueueState.UNSCHEDULABLE && entry.waitsWithGang)
                .findFirst()
                .ifPresent(entry -> states.wake(entry, Wake.AFTER_BACKOFF, QueueEvents.FORCE_ACTIVATE, now));
    }

    /** Whether the gate that holds the pod is that of its group's plugin; one with a gate of its own waits for something else. */
    private static boolean waitsForOthers(QueueEntry entry) {
        if (entry.state != QueueState.GATED) {
            return false;
        }
        GroupRunner groups = entry.profile.groups();
        return groups.membershipOf(entry.pod())
                .filter(membership -> entry.isKeptBy(membership.plugin().name()))
                .filter(membership -> groups.waitsForOthers(membership, entry.pod()))
                .isPresent();
    }

    /** The pods of the queue that are placed together with others, by their groups and in the order in which they came. */
    public static final class WaitingMembers {
        private final Map<GroupKey, Map<String, Pod>> byGroup = new HashMap<>();

        /** Returns the members that wait or are on their way to their nodes. */
        public Collection<Pod> of(GroupKey group) {
            return byGroup.getOrDefault(group, Map.of()).values();
        }

        /** The pod waits, or is another by news of it. */
        void put(GroupKey group, Pod pod) {
            byGroup.computeIfAbsent(group, _ -> new LinkedHashMap<>()).put(pod.key(), pod);
        }

        void remove(GroupKey group, String podKey) {
            byGroup.computeIfPresent(group, (_, pods) -> {
                pods.remove(podKey);
                return pods.isEmpty() ? null : pods;
            });
        }
    }
}
