package io.evenkeel.world.check;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.groups.plugin.GroupPlacement;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.world.check.Gangs.Gang;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What has to be true of gangs in the end. */
final class GangOutcome {
    /** Who keeps pods from being tried until all of theirs are there. */
    private static final Set<String> BY_GROUP = Set.of(GroupPlacement.NAME, "Coscheduling");

    private final SchedulerConfiguration configuration;
    private final Function<ResourceType, Stream<KubernetesObject>> objects;
    private final Predicate<Pod> wasDisturbed;

    /**
     * What is to be looked at.
     *
     * @param objects all of a type that can be read
     * @param wasDisturbed whether a plugin failed as it was looked for others to go for a pod
     */
    GangOutcome(
            SchedulerConfiguration configuration,
            Function<ResourceType, Stream<KubernetesObject>> objects,
            Predicate<Pod> wasDisturbed) {
        this.configuration = configuration;
        this.objects = objects;
        this.wasDisturbed = wasDisturbed;
    }

    /**
     * Asks a scheduler that has just begun what it would do first; of those whom a plugin has disturbed, and of whom they keep a place
     * from, what it would do first without them.
     */
    void noneThatFitsWaits(List<Pod> waiting) {
        if (waiting.stream().noneMatch(pod -> Gangs.of(pod).isPresent())) {
            return;
        }
        Set<String> without = new HashSet<>();
        Set<String> kept = new HashSet<>();
        for (Optional<Command> deed = firstDeed(without); deed.isPresent(); deed = firstDeed(without)) {
            switch (deed.get()) {
                case Command.Evict evict
                when wasDisturbed.test(evict.preemptor()) -> {
                    without.add(evict.preemptor().key());
                    kept.add(evict.preemptor().status().nominatedNodeName());
                }
                case Command.Bind bind
                when kept.contains(bind.node()) -> without.add(bind.pod().key());
                case Command.Evict evict ->
                    throw new Violation(evict.preemptor().key() + " waits, though others may go for it and its gang: "
                            + evict.pod().key());
                case Command.WriteObject write ->
                    throw new Violation(
                            write.pod().key() + " waits, though this is to be written for it: " + write.patch());
                case Command.Bind bind ->
                    throw new Violation(bind.pod().key() + " waits, though it and its gang fit: a wake-up was lost");
                default -> throw new IllegalStateException("no deed: " + deed.get());
            }
        }
    }

    private Optional<Command> firstDeed(Set<String> without) {
        return new FreshScheduler(
                        configuration,
                        kind -> ResourceTable.find(kind.group(), kind.version(), kind.plural()).stream()
                                .flatMap(objects)
                                .filter(object -> !(object instanceof Pod pod) || !without.contains(pod.key()))
                                .map(object -> object instanceof Pod pod ? unaware(pod) : object))
                .firstDeed();
    }

    /** The pod as if it had not been told that it goes, unless it does: that is no reason to wait for it. */
    private static Pod unaware(Pod pod) {
        PodStatus told = pod.status();
        if (pod.meta().terminating() || told.disruptionTarget().isEmpty()) {
            return pod;
        }
        return PodBuilder.from(pod)
                .status(new PodStatus(
                        told.phase(),
                        told.nominatedNodeName(),
                        told.startTime(),
                        told.containers(),
                        told.resizeInfeasible(),
                        told.allocatedResources(),
                        told.actualRequests(),
                        told.scheduled(),
                        Optional.empty(),
                        told.shard(),
                        told.ready(),
                        told.claims(),
                        told.extendedClaim()))
                .build();
    }

    /**
     * Of which pods are missing the replica says so, unless it has never looked at them; and of no other. Those that have run to
     * their end are missed by nobody, which only the replica knows that saw it.
     */
    void areToldOfWherePodsAreMissing(DegradedGangs told, Scheduler scheduler, List<Pod> pods) {
        Set<String> tried = scheduler.queue().view().stream()
                .filter(entry -> entry.state() == QueueState.UNSCHEDULABLE && entry.attempts() > 0)
                .map(QueueEntryView::key)
                .collect(Collectors.toSet());
        Map<Gang, GroupKey> degraded = new HashMap<>(told.all());
        needed().forEach((gang, needed) -> {
            List<Pod> its = objects.apply(ResourceTable.PODS)
                    .map(Pod.class::cast)
                    .filter(pod -> Gangs.of(pod).filter(gang::equals).isPresent())
                    .toList();
            long finished =
                    its.stream().filter(pod -> pod.status().isFinished()).count();
            long placed = its.stream()
                    .filter(pod -> pod.isPlaced() && pods.contains(pod))
                    .count();
            boolean isSaid = degraded.remove(gang) != null;
            boolean isMissing = placed > 0 && placed < needed;
            boolean isTried = its.stream().anyMatch(pod -> tried.contains(pod.key()));
            boolean mustBeSaid = isMissing && isTried && finished == 0;
            if (isSaid ? !isMissing : mustBeSaid) {
                throw new Violation(gang + " has " + placed + " of " + needed + " pods in place, and is"
                        + (isSaid ? "" : " not") + " said to be degraded");
            }
        });
        if (!degraded.isEmpty()) {
            throw new Violation("said to be degraded are gangs that nobody wants any more: " + degraded.values());
        }
    }

    /** Pods in which extenders have a say are not placed together; who waits for one of its gang is told so. */
    void isToldWhyNotExtended(Pod pod) {
        boolean isSaid = pod.status()
                .scheduled()
                .filter(told -> told.message().contains("extenders have a say in pod"))
                .isPresent();
        boolean mayBe = Gangs.of(pod).isPresent()
                && pod.spec().schedulingGates().isEmpty()
                && configuration.needsExtenders(pod);
        boolean mustBe = mayBe
                && Gangs.of(pod)
                        .filter(gang -> needed().getOrDefault(gang, 0) > 0)
                        .isPresent();
        if (isSaid ? !mayBe : mustBe) {
            throw new Violation(
                    pod.key() + (isSaid ? " is" : " is not") + " told that extenders have a say in its gang");
        }
    }

    /** The keys of those that are kept from being tried until all of their gang are there. */
    static Set<String> waitForOthers(Scheduler scheduler) {
        return scheduler.queue().view().stream()
                .filter(entry ->
                        entry.state() == QueueState.GATED && !Collections.disjoint(entry.rejectedBy(), BY_GROUP))
                .map(QueueEntryView::key)
                .collect(Collectors.toSet());
    }

    /** And not all of them are: of pods that wait for that nobody tells why. */
    void isNotWhole(Pod pod, List<Pod> pods, Predicate<Pod> isOurs) {
        Gang gang = Gangs.of(pod).orElseThrow(() -> new Violation(pod.key() + " waits for others, and is of no gang"));
        long known = pods.stream()
                .filter(other -> gang.has(other) && (other.isPlaced() || isOurs.test(other)))
                .count();
        Optional<Integer> needed = Optional.ofNullable(needed().get(gang));
        if (needed.filter(most -> most <= known).isPresent()) {
            throw new Violation(pod.key() + " waits for others, and all " + needed.get() + " are there: " + known);
        }
    }

    /** Of all gangs that somebody wants, by their owners or PodGroups, how many pods. */
    private Map<Gang, Integer> needed() {
        Map<Gang, Integer> needed = new LinkedHashMap<>();
        objects.apply(ResourceTable.REPLICA_SETS)
                .map(WorkloadOwner.class::cast)
                .forEach(set -> needed.put(
                        new Gang(
                                set.meta().namespace(),
                                set.meta().name(),
                                set.meta().uid()),
                        set.replicas()));
        objects.apply(ResourceTable.COSCHEDULING_POD_GROUPS)
                .map(CoschedulingPodGroup.class::cast)
                .forEach(group -> needed.put(
                        new Gang(group.meta().namespace(), group.meta().name(), ""), group.minMember()));
        return needed;
    }
}
