package io.evenkeel.groups.turn;

import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.engine.group.GroupMembership;
import io.evenkeel.engine.group.Groups.GroupParts;
import io.evenkeel.engine.group.KnownMembers;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.PreemptingPlugin;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.framework.run.GroupRunner;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.framework.run.SchedulingProfile.Gate;
import io.evenkeel.groups.GroupDecisions;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** @param profiles by the scheduler names that pods ask for */
record GroupEngine(
        ClusterView cluster,
        GroupDecisions decisions,
        GangPreemption room,
        KnownMembers members,
        Map<String, SchedulingProfile> profiles) {

    static GroupEngine of(GroupParts parts) {
        return new GroupEngine(
                parts.cluster().view(),
                new GroupDecisions(parts),
                new GangPreemption(parts),
                parts.members(),
                parts.profiles());
    }

    SchedulingProfile profileOf(Pod pod) {
        SchedulingProfile profile = profiles.get(pod.spec().schedulerName());
        if (profile == null) {
            throw new IllegalArgumentException("pod " + pod.key() + " asks for none of " + profiles.keySet());
        }
        return profile;
    }

    /** The group of a pod, if it asks for a profile of ours that may place it together with others. */
    Optional<GroupKey> groupOf(Pod pod) {
        return Optional.ofNullable(profiles.get(pod.spec().schedulerName()))
                .flatMap(profile -> profile.groups().groupOf(pod));
    }

    /** Returns the pod's group with its terms. */
    Optional<GroupMembership> membershipOf(Pod pod) {
        SchedulingProfile profile = profiles.get(pod.spec().schedulerName());
        if (profile == null || profile.groups().isEmpty()) {
            return Optional.empty();
        }
        GroupRunner runner = profile.groups();
        return runner.membershipOf(pod)
                .flatMap(found -> runner.termsFor(found, pod)
                        .map(terms -> new GroupMembership(
                                found.group(), terms, found.plugin().name())));
    }

    /** Returns the gate that would keep the pod out of the queue now. */
    Optional<Gate> gateOf(Pod pod) {
        return profileOf(pod).preEnqueue(pod);
    }

    /** The plugin that lets pods go for this one, where there is one and some might have to. */
    Optional<String> preemptionOf(Pod pod) {
        if (!LesserPods.of(cluster).mayGoFor(pod)) {
            return Optional.empty();
        }
        return profileOf(pod).at(ExtensionPoint.POST_FILTER, PostFilterPlugin.class).stream()
                .filter(PreemptingPlugin.class::isInstance)
                .map(PostFilterPlugin::name)
                .findFirst();
    }

    /** The plugins that keep pods off nodes: each may have had a part in a group fitting nowhere. */
    Set<String> filtersOf(Pod pod) {
        SchedulingProfile profile = profileOf(pod);
        return Stream.of(
                        profile.at(ExtensionPoint.PRE_FILTER, PreFilterPlugin.class),
                        profile.at(ExtensionPoint.FILTER, FilterPlugin.class))
                .flatMap(List::stream)
                .map(Plugin::name)
                .collect(Collectors.toUnmodifiableSet());
    }
}
