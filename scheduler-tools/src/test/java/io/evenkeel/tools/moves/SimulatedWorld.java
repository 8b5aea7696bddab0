package io.evenkeel.tools.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.companion.DrivenSurroundings;
import io.evenkeel.app.companion.RebalanceOptions.RebalanceSettings;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.EventSink;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.patch.PatchSink;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.testing.OtherMachine;
import io.evenkeel.whatif.moves.Step;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MovePlan;
import io.evenkeel.whatif.rebalance.Rebalancer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A scheduler with the companion that moves pods, and the rest of a cluster, in simulated time: an API server that keeps pods and
 * budgets, the controller of ReplicaSets, kubelets. All of it on one thread; what goes wrong is done to it by tests, or by chance.
 */
final class SimulatedWorld {
    static final String ZONE = "topology.kubernetes.io/zone";

    private final Random random;
    private final Map<String, Node> nodes = new TreeMap<>();
    final Map<String, Pod> pods = new LinkedHashMap<>();
    final Map<String, Integer> replicas = new TreeMap<>();
    private final Set<String> failing = new HashSet<>();
    final List<Step.Ended> ended = new ArrayList<>();
    final List<String> evicted = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private final Deque<SchedulerEvent> mail = new ArrayDeque<>();
    private final Scheduler scheduler;
    private final Moving moving;
    private long now = TimeUnit.SECONDS.toNanos(1);
    /** How many pods of each owner are to be on each node by the last plan that was to change anything. */
    Optional<Map<String, Integer>> planned = Optional.empty();

    private int made;
    private long version;
    boolean leads = true;
    /** How many of sixteen calls and bindings go wrong. */
    int faults;

    SimulatedWorld(long seed) {
        random = new Random(seed);
        SchedulerConfiguration configuration = SchedulerConfiguration.defaults();
        scheduler = new Scheduler(
                configuration,
                InTreePlugins.registry(),
                new AtRandom(new Random(seed)),
                SchedulerSettings.of(0),
                this::take,
                SchedulerObserver.NONE,
                () -> now);
        moving = new Moving(
                configuration,
                InTreePlugins.registry(),
                Rebalancer::plan,
                new Moving.Manner(
                        new RebalanceSettings(Duration.ofMinutes(1), 6, Duration.ofMinutes(1), false, false),
                        true,
                        false,
                        new Moving.Listener() {
                            @Override
                            public void planned(MovePlan plan) {
                                Map<String, Integer> after = byNode();
                                for (Move move : plan.moves()) {
                                    String owner = ownerOf(move.pod());
                                    after.merge(owner + " " + move.from(), -1, Integer::sum);
                                    after.merge(owner + " " + move.to(), 1, Integer::sum);
                                }
                                after.values().removeIf(count -> count == 0);
                                planned = plan.moves().isEmpty() ? planned : Optional.of(after);
                            }

                            @Override
                            public void did(Step step) {
                                if (step instanceof Step.Ended end) {
                                    ended.add(end);
                                }
                            }
                        }));
        moving.begin(new Around());
        for (Kind<?> kind : scheduler.watchedKinds()) {
            mail.add(new Relist.Began(kind.name()));
            mail.add(new Relist.Ended(kind.name()));
        }
    }

    void node(String name, String zone) {
        Node node = NodeBuilder.node(name)
                .hostname(name)
                .zone(zone)
                .allocatable("cpu", "64", "memory", "64Gi", "pods", "40")
                .build();
        nodes.put(name, node);
        mail.add(new ClusterEvent.Put(node));
    }

    /** The node goes with its pods. */
    void lose(String name) {
        Node node = nodes.remove(name);
        if (node != null) {
            mail.add(new ClusterEvent.Removed(node));
            pods.values().stream()
                    .filter(pod -> pod.spec().nodeName().equals(name))
                    .toList()
                    .forEach(this::remove);
        }
    }

    List<String> nodes() {
        return List.copyOf(nodes.keySet());
    }

    void scale(String owner, int wanted) {
        replicas.put(owner, wanted);
        mail.add(new ClusterEvent.Put(new WorkloadOwner(
                WorkloadOwner.Kind.REPLICA_SET,
                new ObjectMeta(
                        "default",
                        owner,
                        "uid-of-" + owner,
                        Labels.EMPTY,
                        Labels.EMPTY,
                        Optional.empty(),
                        false,
                        Long.toString(++version),
                        0),
                LabelSelector.matchingLabels(Labels.of("app", owner)),
                wanted)));
    }

    /** Whether its pods are never ready from now on. */
    void fail(String owner, boolean fails) {
        if (fails) {
            failing.add(owner);
        } else {
            failing.remove(owner);
        }
    }

    void delete(Pod pod) {
        put(new Pod(pod.meta().withTerminating(true), pod.spec(), pod.status()));
    }

    void label(Pod pod, String key, String value) {
        put(PodBuilder.from(pod).label(key, value).build());
    }

    /** As another scheduler does. */
    void bind(Pod pod, String node) {
        put(PodBuilder.from(pod).nodeName(node).build());
    }

    private void put(Pod pod) {
        Pod stored = PodBuilder.from(pod).version(Long.toString(++version), 1).build();
        pods.put(stored.key(), stored);
        mail.add(new ClusterEvent.Put(stored));
    }

    private void remove(Pod pod) {
        pods.remove(pod.key());
        mail.add(new ClusterEvent.Removed(pod));
    }

    List<Pod> of(String owner) {
        return pods.values().stream().filter(pod -> ownerOf(pod).equals(owner)).toList();
    }

    List<Pod> staying(String owner) {
        return of(owner).stream().filter(pod -> !pod.meta().terminating()).toList();
    }

    private static String ownerOf(Pod pod) {
        return pod.meta().controller().orElseThrow().name();
    }

    /** How many pods of each owner are on each node. */
    Map<String, Integer> byNode() {
        Map<String, Integer> counts = new TreeMap<>();
        replicas.keySet()
                .forEach(owner -> staying(owner).stream()
                        .filter(Pod::isPlaced)
                        .forEach(pod -> counts.merge(owner + " " + pod.spec().nodeName(), 1, Integer::sum)));
        return counts;
    }

    Map<String, Integer> byZone(String owner) {
        Map<String, Integer> counts = new TreeMap<>();
        nodes.values().forEach(node -> counts.put(zone(node), 0));
        staying(owner).stream()
                .filter(Pod::isPlaced)
                .forEach(pod -> counts.merge(zone(nodes.get(pod.spec().nodeName())), 1, Integer::sum));
        return counts;
    }

    private static String zone(Node node) {
        return node.labels().getOrDefault(ZONE, "");
    }

    int held() {
        return scheduler.queue().held().size();
    }

    /** Lets time pass, in which the cluster does its work every so often. */
    void pass(Duration time, Duration step) {
        long end = now + time.toNanos();
        while (now < end) {
            now += step.toNanos();
            controllers();
            deliver();
            scheduler.tick();
            while (scheduler.scheduleNext()) {
                deliver();
            }
            moving.turn(0);
            deliver();
            kubelets();
        }
        assertThat(wrong).isEmpty();
    }

    private void deliver() {
        for (SchedulerEvent event = mail.poll(); event != null; event = mail.poll()) {
            moving.taking(scheduler, event);
            scheduler.handle(event);
        }
    }

    private void controllers() {
        replicas.forEach((owner, wanted) -> {
            List<Pod> staying = staying(owner);
            for (int more = staying.size(); more < wanted; more++) {
                put(pod(owner));
            }
            staying.stream().skip(wanted).forEach(this::delete);
        });
    }

    private Pod pod(String owner) {
        String name = owner + "-" + made++;
        return PodBuilder.pod(name)
                .uid(name)
                .controller(new OwnerReference("apps/v1", "ReplicaSet", owner, "uid-of-" + owner))
                .label("app", owner)
                .container("cpu", "1")
                .schedulerName("default-scheduler")
                .spread(TopologySpreadConstraint.of(
                        1,
                        ZONE,
                        WhenUnsatisfiable.DO_NOT_SCHEDULE,
                        LabelSelector.matchingLabels(Labels.of("app", owner))))
                .build();
    }

    private void kubelets() {
        for (Pod pod : List.copyOf(pods.values())) {
            if (pod.meta().terminating()) {
                remove(pod);
            } else if (pod.isPlaced() && !pod.status().ready() && !failing.contains(ownerOf(pod))) {
                put(PodBuilder.from(pod)
                        .status(PodStatusBuilder.running().ready(true).build())
                        .build());
            }
        }
    }

    private boolean goesWrong() {
        return random.nextInt(16) < faults;
    }

    private void take(Command command) {
        switch (command) {
            case Command.Bind(Pod pod, String node, var _) -> {
                Optional<Pod> there = there(pod);
                if (there.isEmpty() || there.get().isPlaced() || !nodes.containsKey(node) || goesWrong()) {
                    mail.add(new CommandResult.NotBound(
                            pod, node, there.isEmpty() ? BindFailure.GONE : BindFailure.FAILED, "no"));
                } else {
                    bind(there.get(), node);
                    mail.add(new CommandResult.Bound(pod, node));
                }
            }
            case Command.Lookup(Pod pod) -> mail.add(new CommandResult.Found(pod, there(pod)));
            default -> {}
        }
    }

    private Optional<Pod> there(Pod pod) {
        return Optional.ofNullable(pods.get(pod.key()))
                .filter(one -> one.meta().uid().equals(pod.meta().uid()));
    }

    /** The Eviction API, with a budget that lets one pod of an owner be missing. */
    private ApiAnswer evict(ApiCall call) throws IOException {
        String name = call.path().split("/")[6];
        if (!call.path().equals("/api/v1/namespaces/default/pods/" + name + "/eviction")) {
            wrong.add(call.path());
        }
        Pod pod = pods.get("default/" + name);
        if (pod == null) {
            return Answers.of(404, """
                {"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404,
                 "details": {"name": "%s", "kind": "pods"}}""".formatted(name));
        }
        if (!scheduler.queue().held().isHeld(pod)) {
            wrong.add(name + " is evicted while no place is held");
        }
        boolean isLost = goesWrong();
        if (isLost && random.nextBoolean()) {
            throw new IOException("reset");
        }
        String owner = ownerOf(pod);
        long ready = staying(owner).stream().filter(one -> one.status().ready()).count();
        if (ready < replicas.get(owner)) {
            return Answers.tooMany(Duration.ofSeconds(10));
        }
        evicted.add(name);
        delete(pod);
        if (isLost) {
            throw new IOException("reset");
        }
        return Answers.of(201, "");
    }

    private final class Around extends DrivenSurroundings {
        private final ApiTransport transport = new ScriptedTransport(SimulatedWorld.this::evict);

        @Override
        public boolean isLeading() {
            return leads;
        }

        @Override
        protected Scheduler scheduler() {
            return scheduler;
        }

        @Override
        public void post(OfPlace place) {
            mail.add(place);
        }

        @Override
        public ApiTransport transport() {
            return transport;
        }

        @Override
        public Machine machine() {
            return new OtherMachine() {
                @Override
                public Clocks clocks() {
                    return new Clocks(() -> now, () -> Instant.EPOCH.plusNanos(now), random);
                }

                @Override
                public Thread dedicated(String name, Loop loop) {
                    return new Thread(() -> {
                        // whose turns the test takes
                    });
                }
            };
        }

        @Override
        public PatchSink patches(String name, PatchSink.Pace pace, PatchSink.PatchObserver observer) {
            throw new UnsupportedOperationException("nothing is patched");
        }

        @Override
        public EventSink events() {
            return (_, _) -> {};
        }
    }
}
