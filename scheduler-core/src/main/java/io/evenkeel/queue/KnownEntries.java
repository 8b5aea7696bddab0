package io.evenkeel.queue;

import io.evenkeel.cluster.PodInfo.PodAdmission;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.QueuedGroups.WaitingMembers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The pods of the queue by name and by group, in the order in which they came. */
final class KnownEntries {
    private final PodAdmission admission;
    private final Map<String, SchedulingProfile> profiles;
    private final Predicate<Pod> needsExtenders;
    private final WaitingMembers members;
    private final Map<String, QueueEntry> byKey = new LinkedHashMap<>();

    KnownEntries(
            PodAdmission admission,
            Map<String, SchedulingProfile> profilesByScheduler,
            Predicate<Pod> needsExtenders,
            WaitingMembers members) {
        this.admission = admission;
        this.needsExtenders = needsExtenders;
        this.members = members;
        this.profiles = new LinkedHashMap<>(profilesByScheduler);
    }

    Optional<QueueEntry> find(String podKey) {
        return Optional.ofNullable(byKey.get(podKey));
    }

    /** The entry of this pod, and not of another of its name. */
    Optional<QueueEntry> find(Pod pod) {
        return find(pod.key()).filter(entry -> entry.hasUid(pod.meta().uid()));
    }

    Stream<QueueEntry> all() {
        return byKey.values().stream();
    }

    /** Whether a profile places the pod. */
    boolean areKept(Pod pod) {
        return profiles.containsKey(pod.spec().schedulerName());
    }

    /** One for a pod that does not exist, which is not found. */
    QueueEntry unlisted(Pod pod, long now) {
        QueueEntry entry = new QueueEntry(pod, admission, profileOf(pod), needsExtenders.test(pod), now);
        entry.isKnown = false;
        return entry;
    }

    QueueEntry add(Pod pod, long now) {
        QueueEntry entry = unlisted(pod, now);
        entry.isKnown = true;
        byKey.put(pod.key(), entry);
        entry.group().ifPresent(group -> members.put(group, pod));
        return entry;
    }

    private SchedulingProfile profileOf(Pod pod) {
        SchedulingProfile profile = profiles.get(pod.spec().schedulerName());
        if (profile == null) {
            throw new IllegalArgumentException("pod " + pod.key() + " asks for scheduler \""
                    + pod.spec().schedulerName() + "\"; the profiles are " + profiles.keySet());
        }
        return profile;
    }

    void replacePod(QueueEntry entry, Pod newer) {
        leaveGroup(entry);
        entry.replacePod(newer);
        entry.group().ifPresent(group -> members.put(group, newer));
    }

    private void leaveGroup(QueueEntry entry) {
        entry.group().ifPresent(group -> members.remove(group, entry.pod().key()));
    }

    /** Returns the entries of the group, in the order in which they came. */
    List<QueueEntry> of(GroupKey group) {
        return members.of(group).stream().flatMap(pod -> find(pod).stream()).toList();
    }

    /** The pod is decided on as it will be, although news of its nomination have not come. */
    void showNomination(QueueEntry entry) {
        entry.heldPlace
                .or(() -> entry.nominated)
                .filter(node -> !node.equals(entry.pod().status().nominatedNodeName()))
                .ifPresent(node -> entry.foresee(
                        PodBuilder.from(entry.pod()).nominatedNodeName(node).build()));
    }

    void forget(QueueEntry entry) {
        entry.isKnown = false;
        leaveGroup(entry);
        byKey.remove(entry.pod().key());
        entry.dismiss();
    }
}
