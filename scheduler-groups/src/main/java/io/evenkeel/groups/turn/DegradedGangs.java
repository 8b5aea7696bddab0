package io.evenkeel.groups.turn;

import io.evenkeel.engine.group.GroupMembership;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.engine.group.GroupReports;
import io.evenkeel.engine.group.KnownMembers;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodGroup;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The gangs of which fewer pods are in place than are needed, but some: one was deleted or could not be bound, and nobody has
 * taken its place yet. Each is told of when it becomes so, and when it is so no longer, as fewer are needed or others have come,
 * also where it was another scheduler that said so: its condition tells. Pods that have run to their end are missed by nobody.
 *
 * <pre>
 *   a gang of 4      4 in place
 *   one is deleted   3 in place      degraded
 *   another comes    4 in place      recovered
 *   one finishes     3 in place
 * </pre>
 */
final class DegradedGangs {
    private final KnownMembers members;
    private final GroupReports reports;
    private final GroupObserver observer;
    private final Set<GroupKey> degraded = new HashSet<>();
    /** Of which it was said that they are so no longer; what their objects say may be older. */
    private final Set<GroupKey> recovered = new HashSet<>();

    private final Map<GroupKey, Integer> finished = new HashMap<>();

    DegradedGangs(KnownMembers members, GroupReports reports, GroupObserver observer) {
        this.members = members;
        this.reports = reports;
        this.observer = observer;
    }

    /** A pod of it counts on its node no longer. */
    void sawLeft(GroupMembership membership, Pod pod, boolean hasFinished) {
        GroupKey group = membership.group();
        if (!membership.terms().isGang()) {
            isNoGang(group);
            return;
        }
        if (hasFinished) {
            finished.merge(group, 1, Integer::sum);
        }
        update(membership, pod);
        if (members.placed(group) == 0) {
            finished.remove(group);
            recovered.remove(group);
        }
    }

    /** Its terms have changed, which say how many of it are needed; it is looked at again if that is told of it. */
    void termsChanged(GroupKey group, Function<Pod, Optional<GroupMembership>> membershipOf) {
        if (has(group)) {
            members.somePlaced(group)
                    .ifPresent(member -> membershipOf
                            .apply(member)
                            .filter(membership -> membership.group().equals(group))
                            .ifPresentOrElse(membership -> update(membership, member), () -> isNoGang(group)));
        }
    }

    boolean has(GroupKey group) {
        return degraded.contains(group);
    }

    /** Nothing says any more that its pods are placed all or none. */
    void isNoGang(GroupKey group) {
        finished.remove(group);
        recovered.remove(group);
        if (degraded.remove(group)) {
            observer.degraded(degraded.size());
            observer.recovered(group, members.placed(group));
        }
    }

    /** Its turn has ended, whatever has come of it, or another of it has come into its place. */
    void update(GroupMembership membership, Pod member) {
        GroupKey group = membership.group();
        int needed = membership.terms().minimum();
        int placed = members.placed(group);
        int wanted = needed - finished.getOrDefault(group, 0);
        boolean isDegraded = placed > 0 && placed < wanted;
        if (!isDegraded && placed > 0 && has(group) && members.bound(group) < wanted) {
            // they are on their way, and may come to nothing, as those before them
            return;
        }
        if (isDegraded && degraded.add(group)) {
            recovered.remove(group);
            observer.degraded(degraded.size());
            observer.becameDegraded(group, placed, needed);
            membership.object().ifPresent(object -> reports.degraded(object, member, placed, needed));
        } else if (!isDegraded && (degraded.remove(group) || isSaidToBe(membership))) {
            recovered.add(group);
            observer.degraded(degraded.size());
            observer.recovered(group, placed);
            membership.object().ifPresent(object -> reports.recovered(object, member, placed));
        }
    }

    private boolean isSaidToBe(GroupMembership membership) {
        return !recovered.contains(membership.group())
                && membership.object().orElse(null) instanceof PodGroup group
                && group.condition(GroupCondition.DEGRADED)
                        .filter(GroupCondition::isTrue)
                        .isPresent();
    }
}
