package io.evenkeel.policies.scaledown;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.CompanionProvider;
import io.evenkeel.app.companion.Surroundings;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.kube.api.EventSink;
import io.evenkeel.kube.api.EventSink.Regarding;
import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.Pod;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec.PodDeletionCost;
import io.evenkeel.policies.PlacementPolicyPlugin;
import io.evenkeel.policies.ReadablePolicy;
import io.evenkeel.policies.ReadablePolicy.PolicyReadings;
import io.evenkeel.policies.scaledown.OwnedPods.Owner;
import io.evenkeel.policies.scaledown.Ranking.Candidate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Gives the pods of policies with podDeletionCost ManagedPolicies.Managed their costs: a ReplicaSet that is scaled down then deletes
 * the pods that restore its spread. Takes our costs off all other pods.
 *
 * <p>On the engine's thread, while this replica leads: once a second the changed ReplicaSets are ranked again, so many pods at a
 * time; what is to be written goes to a thread of its own. Nothing is done at all until a policy asks for it, or a pod is found that
 * still has a cost of ours.
 */
public final class ScaleDown implements Companion {
    private static final long BETWEEN_TICKS = TimeUnit.SECONDS.toNanos(1);
    private static final int PODS_A_TICK = 20_000;
    private static final int MOST_UNDERWAY = 200;
    private static final Pace PACE = new Pace(20, Duration.ofSeconds(5));

    private final LongSupplier nanos;
    private final ScaleDownMetrics metrics = new ScaleDownMetrics();
    private final CostWriter writer = new CostWriter(metrics);
    private final Clashes clashes;
    private Optional<Surroundings> surroundings = Optional.empty();
    private Optional<ManagedPolicies> policies = Optional.empty();
    private Optional<Watch> watch = Optional.empty();
    private boolean hasSwept;
    private long tickedAt;

    /** The parts that exist once there is something to do. */
    private record Watch(ClusterView cluster, OwnedPods pods, ManagedPolicies policies) {}

    /** @param reporter the name under which events are written */
    public ScaleDown(String reporter, LongSupplier nanos) {
        this.nanos = nanos;
        clashes = new Clashes(reporter, metrics);
        tickedAt = nanos.getAsLong() - BETWEEN_TICKS;
    }

    /** One where a profile keeps policies. */
    public static Optional<ScaleDown> of(SchedulerConfiguration configuration) {
        return PlacementPolicyPlugin.profilesIn(configuration).stream()
                .findFirst()
                .map(reporter -> new ScaleDown(reporter, System::nanoTime));
    }

    /** Of profiles that name its plugin. */
    public static final class Provider implements CompanionProvider {
        @Override
        public List<Companion> companions(Setup setup) {
            return ScaleDown.of(setup.configuration())
                    .<List<Companion>>map(List::of)
                    .orElse(List.of());
        }
    }

    @Override
    public void begin(Surroundings around) {
        surroundings = Optional.of(around);
        writer.begin(around.patches("pod-deletion-costs", PACE, writer));
        clashes.begin(around.events());
    }

    @Override
    public Instruments metrics() {
        return metrics;
    }

    @Override
    public void turned(Scheduler scheduler, int events, long turnNanos) {
        long now = nanos.getAsLong();
        if (now - tickedAt < BETWEEN_TICKS || !isAtWork(scheduler)) {
            return;
        }
        tickedAt = now;
        ClusterView cluster = scheduler.cluster();
        ManagedPolicies managed = policies.orElseGet(() -> new ManagedPolicies(cluster));
        policies = Optional.of(managed);
        if (watch.isEmpty() && hasWork(cluster, managed)) {
            watch = Optional.of(new Watch(cluster, cluster.index(OwnedPods.class, OwnedPods::new), managed));
        }
        watch.ifPresent(watched -> tick(watched, now));
    }

    @Override
    public long nanosUntilNext(Scheduler scheduler) {
        return isAtWork(scheduler) ? Math.max(1, tickedAt + BETWEEN_TICKS - nanos.getAsLong()) : Long.MAX_VALUE;
    }

    private boolean isAtWork(Scheduler scheduler) {
        return scheduler.isSynced()
                && surroundings.filter(Surroundings::isLeading).isPresent();
    }

    /** All pods are looked through once, for costs of a time before this process. */
    private boolean hasWork(ClusterView cluster, ManagedPolicies managed) {
        boolean isToSweep = !hasSwept;
        hasSwept = true;
        return managed.areThere() || (isToSweep && cluster.placedPods().stream().anyMatch(Mark::isLeftOn));
    }

    private void tick(Watch watched, long now) {
        OwnedPods pods = watched.pods();
        writer.takeIn(now, pods::changed);
        if (!pods.isAnyChanged()) {
            writer.retain(pod -> watched.cluster().pods().find(pod) != PodTable.NONE);
            clashes.retain(pod -> watched.cluster().pods().find(pod) != PodTable.NONE, watched.policies()::identities);
        }
        int budget = PODS_A_TICK;
        while (budget > 0 && pods.isAnyChanged() && writer.underway() < MOST_UNDERWAY && !writer.isRefused()) {
            Owner owner = pods.nextChanged().orElseThrow();
            budget -= Math.max(1, pods.of(owner).size());
            look(watched, owner);
        }
    }

    private void look(Watch watched, Owner owner) {
        Map<ManagedPolicies.Managed, List<Pod>> managed = new LinkedHashMap<>();
        for (String key : watched.pods().of(owner)) {
            PodTable pods = watched.cluster().pods();
            int row = pods.find(key);
            if (row != PodTable.NONE
                    && !pods.isAssumed(row)
                    && !pods.pod(row).meta().terminating()) {
                Pod pod = pods.pod(row);
                Optional<ManagedPolicies.Managed> its =
                        owner.replicaSet().flatMap(_ -> watched.policies().governing(pod));
                if (its.isPresent()) {
                    managed.computeIfAbsent(its.get(), _ -> new ArrayList<>()).add(pod);
                } else if (Mark.isLeftOn(pod) && !writer.markOf(pod).equals(Mark.NONE)) {
                    writer.takeBack(owner, pod);
                }
            }
        }
        managed.forEach((policy, pods) -> rank(watched.cluster(), owner, policy, pods));
    }

    private void rank(ClusterView cluster, Owner owner, ManagedPolicies.Managed managed, List<Pod> pods) {
        List<Candidate> candidates = pods.stream()
                .map(pod -> new Candidate(
                        pod.name(),
                        domain(cluster, pod, managed.topologyKey()),
                        pod.status().ready(),
                        pod.status().startTime(),
                        writer.markOf(pod)))
                .toList();
        Map<String, Integer> costs = Ranking.costs(candidates, managed.shares());
        for (int i = 0; i < pods.size(); i++) {
            Pod pod = pods.get(i);
            Mark mark = candidates.get(i).mark();
            if (mark.isAnothers()) {
                clashes.found(managed, pod);
            } else if (costs.containsKey(pod.name())) {
                int cost = costs.get(pod.name());
                if (!mark.equals(Mark.ours(cost))) {
                    writer.write(owner, pod, cost);
                }
            }
        }
    }

    private static String domain(ClusterView cluster, Pod pod, String topologyKey) {
        int node = cluster.nodes().findPresent(pod.spec().nodeName());
        return node < 0 ? "" : cluster.nodes().node(node).labels().getOrDefault(topologyKey, "");
    }

    /** Pods with a cost of another writer's: counted each once, and told once of a policy. */
    private static final class Clashes {
        private static final String REASON = "PodDeletionCostNotOurs";

        private final String reporter;
        private final ScaleDownMetrics metrics;
        private final Map<String, String> uids = new HashMap<>();
        private final Set<String> told = new HashSet<>();
        private EventSink events = (_, _) -> {};

        /** @param reporter the name under which events are written */
        Clashes(String reporter, ScaleDownMetrics metrics) {
            this.reporter = reporter;
            this.metrics = metrics;
        }

        void begin(EventSink sink) {
            events = sink;
        }

        void found(ManagedPolicies.Managed managed, Pod pod) {
            boolean isNew =
                    !pod.meta().uid().equals(uids.put(pod.key(), pod.meta().uid()));
            if (isNew) {
                metrics.clashed();
            }
            if (told.add(managed.identity())) {
                String cost = pod.meta().annotations().getOrDefault(Annotations.DELETION_COST, "none");
                String note = "Pod " + pod.key() + " has a pod-deletion-cost (" + cost
                        + ") that another has written: it is left"
                        + " as it is, as are those of other pods that this is so of";
                events.recordEvent(
                        Regarding.object(
                                managed.readable().kind(), managed.policy().meta()),
                        new ObjectEvent(ObjectEvent.Type.WARNING, REASON, "Ranking", note, reporter));
            }
        }

        /** Forgets pods and policies that are there no longer. */
        void retain(Predicate<String> isThere, Supplier<Set<String>> policies) {
            uids.keySet().removeIf(pod -> !isThere.test(pod));
            if (!told.isEmpty()) {
                told.retainAll(policies.get());
            }
        }
    }

    /**
     * The policies that want costs on their pods, and which of them decides on a pod: of its namespace before the
     * cluster's, then the first by name, as it can be but one.
     */
    private static final class ManagedPolicies {
        private static final Comparator<Managed> OWN_FIRST = Comparator.comparing(
                        (Managed managed) -> managed.policy() instanceof ClusterPlacementPolicy)
                .thenComparing(managed -> managed.policy().meta().name());

        private final PolicyReadings readings;
        private long changes = -1;
        private List<Managed> all = List.of();

        /** A policy with what its first rule says. */
        record Managed(ReadablePolicy readable, String topologyKey, Shares shares) {
            static Managed of(ReadablePolicy readable) {
                PolicyRule first = readable.policy().spec().rules().getFirst();
                return new Managed(readable, first.topologyKey(), Shares.of(first));
            }

            PolicyObject policy() {
                return readable.policy();
            }

            /** Another for another policy of the same name. */
            String identity() {
                return policy().kindName() + " " + policy().meta().key() + " "
                        + policy().meta().uid();
            }
        }

        ManagedPolicies(ClusterView cluster) {
            readings = new PolicyReadings(cluster);
        }

        boolean areThere() {
            return !all().isEmpty();
        }

        private List<Managed> all() {
            if (changes != readings.changes()) {
                changes = readings.changes();
                all = readings.all().stream()
                        .filter(readable -> readable.policy().spec().podDeletionCost() == PodDeletionCost.MANAGED)
                        .filter(readable -> !readable.policy().spec().rules().isEmpty())
                        .map(Managed::of)
                        .sorted(OWN_FIRST)
                        .toList();
            }
            return all;
        }

        Set<String> identities() {
            return all().stream().map(Managed::identity).collect(Collectors.toSet());
        }

        Optional<Managed> governing(Pod pod) {
            return all().stream().filter(each -> each.readable().governs(pod)).findFirst();
        }
    }
}
