package io.evenkeel.engine.group;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.GroupPlugin.GroupMembers;
import io.evenkeel.framework.run.GroupRunner;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.WaitingMembers;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The pods of groups, as far as they are known: those of the queue, and those that count on nodes. A pod that is being bound is
 * both, and counts once. Where no profile places groups, nothing is counted.
 */
public final class KnownMembers implements GroupMembers {
    private final WaitingMembers waiting;
    private final PodTable pods;
    private Optional<PlacedMembers> counted = Optional.empty();

    public KnownMembers(WaitingMembers waiting, PodTable pods) {
        this.waiting = waiting;
        this.pods = pods;
    }

    /**
     * From now on pods in place are counted.
     *
     * @param runners of all profiles
     */
    public void count(ClusterView cluster, List<GroupRunner> runners) {
        counted = Optional.of(PlacedMembers.of(cluster, runners));
    }

    @Override
    public int known(GroupKey group) {
        int placed = placed(group);
        if (placed == 0) {
            return waiting.of(group).size();
        }
        int alsoWaiting = 0;
        for (Pod pod : waiting.of(group)) {
            alsoWaiting += pods.find(pod.key()) < 0 ? 1 : 0;
        }
        return placed + alsoWaiting;
    }

    /** How many count on nodes. */
    public int placed(GroupKey group) {
        return counted.map(members -> members.count(group)).orElse(0);
    }

    /** How many of these are known to be bound; goes through all of the group. */
    public int bound(GroupKey group) {
        return counted.map(members -> members.countBound(group)).orElse(0);
    }

    /** Returns a member that counts on a node. */
    public Optional<Pod> somePlaced(GroupKey group) {
        return counted.flatMap(members -> members.some(group));
    }

    /** Where one of them is. */
    public Optional<Integer> someNode(GroupKey group) {
        return counted.flatMap(members -> members.someNode(group));
    }

    /** Returns the groups that are called after such an object and have a pod that counts on its node. */
    public List<GroupKey> calledAfter(ObjectMeta object) {
        return counted.map(members -> members.calledAfter(object)).orElse(List.of());
    }

    /** Returns the members that wait or are on their way to their nodes, in the order in which they came. */
    public Collection<Pod> waiting(GroupKey group) {
        return waiting.of(group);
    }

    public boolean isAnyWaiting(GroupKey group) {
        return !waiting.of(group).isEmpty();
    }
}
