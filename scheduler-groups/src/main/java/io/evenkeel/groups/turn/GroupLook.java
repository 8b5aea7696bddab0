package io.evenkeel.groups.turn;

import io.evenkeel.engine.group.GroupMembership;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.GroupPlugin.GroupTerms;
import io.evenkeel.groups.Budget;
import io.evenkeel.groups.JointPlacer;
import io.evenkeel.groups.JointPlacer.JointTerms;
import io.evenkeel.groups.turn.GangPreemption.Gang;
import io.evenkeel.groups.turn.GangPreemption.Room;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Finds out where the pods of a group may go, by themselves or once others have gone, and tells how long that took. */
final class GroupLook {
    private final GroupEngine engine;
    private final GroupObserver observer;
    private final LongSupplier clock;
    private long steps;

    GroupLook(GroupEngine engine, GroupObserver observer, LongSupplier clock) {
        this.engine = engine;
        this.observer = observer;
        this.clock = clock;
    }

    /** All steps that were taken so far. */
    long steps() {
        return steps;
    }

    /** As many as possible where not all fit; where one domain is to be chosen, one that takes so many. */
    JointPlacer.Found places(List<Pod> pods, int needed, GroupMembership membership) {
        long begin = clock.getAsLong();
        JointPlacer.Found found =
                engine.decisions().find(pods, jointTerms(needed, membership), budget(pods, membership));
        long nanos = clock.getAsLong() - begin;
        steps += found.placement().steps();
        observer.lookedInto(
                found.placement().finding(), pods.size(), found.placement().steps(), nanos);
        if (membership.terms().isGang()) {
            observer.lookedIntoGang(nanos);
        }
        return found;
    }

    /** Who goes so that so many of the pods fit. Those who are one gang go together: none is cut below what it needs. */
    Room room(List<Pod> pods, int needed, GroupMembership membership) {
        GroupKey group = membership.group();
        Gang gang = new Gang(
                pods,
                needed,
                pod -> engine.groupOf(pod).filter(group::equals).isPresent(),
                pod -> engine.membershipOf(pod)
                        .filter(other -> other.terms().isGang())
                        .map(other -> other.group().toString() + other.group().identity()));
        Room room = engine.room().find(gang, budget(pods, membership));
        steps += room.steps();
        return room;
    }

    private Budget budget(List<Pod> pods, GroupMembership membership) {
        return membership.terms().steps().isPresent()
                ? new Budget(membership.terms().steps().getAsLong())
                : Budget.live(pods.size(), engine.cluster().nodes().count());
    }

    private JointTerms jointTerms(int needed, GroupMembership membership) {
        GroupTerms terms = membership.terms();
        JointTerms wanted = terms.mayBeAtOnce() ? JointTerms.MOST : JointTerms.atLeast(needed);
        if (terms.topologyKey().isEmpty()) {
            return wanted;
        }
        String key = terms.topologyKey().get();
        return domainInUse(membership.group(), key)
                .map(domain -> wanted.inDomain(key, domain))
                .orElseGet(() -> wanted.inOneDomainOf(key));
    }

    /** That of a pod of the group that is in place already. */
    private Optional<String> domainInUse(GroupKey group, String key) {
        return engine.members()
                .someNode(group)
                .filter(node -> engine.cluster().nodes().isPresent(node))
                .map(node -> engine.cluster().nodes().node(node))
                .map(Node::labels)
                .filter(labels -> labels.has(key))
                .map(labels -> labels.getOrDefault(key, ""));
    }
}
