package io.evenkeel.lab.bench;

import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.LiveCluster.Tally;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Places the same pods among the same events of nodes in two clusters, one with a crowd of waiting pods, in rounds
 * by turns; the result is the figures of the median round.
 */
record CrowdBench(PluginRegistry registry) {
    private static final int WARM_UPS = 20;
    private static final int ROUNDS = 5;

    static boolean measures(Workload workload) {
        return workload == Workload.CROWD;
    }

    BenchReport run(BenchCase benchCase) {
        List<Pod> pods = WorkloadPods.of(benchCase).stream()
                .map(pod -> PodBuilder.from(pod).uid(pod.name()).build())
                .toList();
        CrowdRun alone = CrowdRun.alone(benchCase, registry);
        CrowdRun crowded = CrowdRun.crowded(benchCase, registry);
        int waiting = crowded.waiting();
        for (int i = 0; i < WARM_UPS; i++) {
            alone.place(pods);
            crowded.place(pods);
        }
        List<Costs> without = new ArrayList<>();
        List<Costs> with = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            without.add(alone.place(pods));
            with.add(crowded.place(pods));
        }
        return report(benchCase, waiting, median(without), median(with));
    }

    private static Costs median(List<Costs> rounds) {
        return rounds.stream()
                .sorted(Comparator.comparingDouble(Costs::allMicros))
                .toList()
                .get(rounds.size() / 2);
    }

    private static BenchReport report(BenchCase benchCase, int waiting, Costs alone, Costs crowded) {
        Tally tally = crowded.ofPods().plus(crowded.ofEvents());
        long attempts = tally.placed() + tally.rejected();
        double inVain = attempts == 0 ? 0 : (double) tally.rejected() / attempts;
        double podTimes = crowded.podMicros() / alone.podMicros();
        double allTimes = crowded.allMicros() / alone.allMicros();
        BenchReport report = BenchReport.of(benchCase, "", "")
                .line(
                        "crowd",
                        "%,d pods of %d Deployments in %d namespaces, waiting",
                        waiting,
                        CrowdPods.DEPLOYMENTS,
                        CrowdPods.NAMESPACES)
                .line("placed", "%,d of %,d pods, each after an event of a node", tally.placed(), benchCase.pods())
                .line("", "     alone     crowded  times   µs of processor")
                .line(
                        "a pod",
                        "%10.1f  %10.1f  %5.2f   p99 %,.1f and %,.1f",
                        alone.podMicros(),
                        crowded.podMicros(),
                        podTimes,
                        alone.podP99Micros(),
                        crowded.podP99Micros())
                .line(
                        "an event",
                        "%10.1f  %10.1f  %5.2f   p99 %,.1f and %,.1f",
                        alone.eventMicros(),
                        crowded.eventMicros(),
                        crowded.eventMicros() / alone.eventMicros(),
                        alone.eventP99Micros(),
                        crowded.eventP99Micros())
                .line("all, a pod", "%10.1f  %10.1f  %5.2f", alone.allMicros(), crowded.allMicros(), allTimes)
                .line("hints", "%10.1f  %10.1f          an event", alone.hintsPerEvent(), crowded.hintsPerEvent())
                .line("wake-ups", "%,d of the crowd", tally.wakeUps())
                .line("attempts", "%,d, of them %,d in vain (%.1f %%)", attempts, tally.rejected(), 100 * inVain)
                .put("placed", tally.placed())
                .put("unschedulable", benchCase.pods() - tally.placed())
                .put("crowd", waiting)
                .put("pods_per_s", benchCase.pods() * 1e9 / crowded.elapsedNanos(), 1)
                .put("cpu_us_per_pod", crowded.allMicros(), 1);
        alone.addTo(report, "alone");
        crowded.addTo(report, "crowded");
        return report.put("pod_times", podTimes, 2)
                .put("all_times", allTimes, 2)
                .put("wake_ups", tally.wakeUps())
                .put("attempts_in_vain", tally.rejected())
                .put("in_vain_share", inVain, 3)
                .seed(benchCase.seed());
    }

    /**
     * The costs of one run, in processor time of the one thread that does all: other work of the machine does not count.
     * An attempt belongs to its cause: an attempt of a pod that a node's change has woken is the node's.
     *
     * @param podNanos of each pod, from its creation to the news of its binding, in ascending order
     * @param eventNanos of each event of a node, as many, in ascending order
     * @param allNanos all that happened: events and deletions too
     * @param elapsedNanos by the clock on the wall, until all of it had happened
     * @param ofPods what the scheduler did meanwhile for pods
     * @param ofEvents and for events of nodes
     */
    @SuppressWarnings("ArrayRecordComponent") // read, and never compared
    record Costs(long[] podNanos, long[] eventNanos, long allNanos, long elapsedNanos, Tally ofPods, Tally ofEvents) {
        double podMicros() {
            return mean(podNanos);
        }

        double podP99Micros() {
            return p99(podNanos);
        }

        double eventMicros() {
            return mean(eventNanos);
        }

        double eventP99Micros() {
            return p99(eventNanos);
        }

        double allMicros() {
            return allNanos / 1e3 / podNanos.length;
        }

        double hintsPerEvent() {
            return (double) ofEvents.hints() / eventNanos.length;
        }

        void addTo(BenchReport report, String how) {
            report.put(how + "_us_per_pod", podMicros(), 1)
                    .put(how + "_us_per_pod_p99", podP99Micros(), 1)
                    .put(how + "_us_per_event", eventMicros(), 1)
                    .put(how + "_us_per_event_p99", eventP99Micros(), 1)
                    .put(how + "_us_in_all_per_pod", allMicros(), 1)
                    .put(how + "_hints_per_event", hintsPerEvent(), 1);
        }

        private static double mean(long[] nanos) {
            return Arrays.stream(nanos).average().orElse(0) / 1e3;
        }

        private static double p99(long[] sorted) {
            return PlacementRun.percentileMicros(0.99, sorted);
        }
    }

    /**
     * One cluster, with or without a crowd. Its clock stands still while something happens and goes on by a millisecond from
     * one pod to the next, and before each pod a node has an event. So there are a thousand of both a second, as if the
     * scheduler took no time: what it takes is measured by the processor's clock, and is less than that.
     */
    static final class CrowdRun {
        private static final long STEP = Duration.ofMillis(1).toNanos();
        /** Backoffs end by then. */
        private static final long REST = Duration.ofSeconds(20).toNanos();

        private static final int PODS_PER_DELETION = 10;
        private static final int LIFE = 5;
        private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

        private final LiveCluster cluster;
        private final NodeEvents events;
        private long now;

        private CrowdRun(BenchCase benchCase, PluginRegistry registry) {
            List<Node> nodes = CrowdPods.CrowdCluster.nodes(benchCase);
            List<KubernetesObject> objects = new ArrayList<>(nodes);
            CrowdPods.inPlace(benchCase.zones()).forEach(objects::add);
            cluster = new LiveCluster(objects, benchCase.seed(), registry, () -> now);
            events = new NodeEvents(nodes, benchCase.zones(), benchCase.seed());
        }

        static CrowdRun alone(BenchCase benchCase, PluginRegistry registry) {
            return new CrowdRun(benchCase, registry);
        }

        /** All of the crowd have been tried, and wait. */
        static CrowdRun crowded(BenchCase benchCase, PluginRegistry registry) {
            CrowdRun run = new CrowdRun(benchCase, registry);
            CrowdPods.waiting(benchCase.zones()).forEach(pod -> {
                run.cluster.create(pod);
                run.now += STEP;
            });
            run.now += REST;
            return run;
        }

        /** How many pods wait for a change. */
        int waiting() {
            return cluster.queue().unschedulable();
        }

        /** Places the pods, and takes them away again; a tenth do not live long. */
        Costs place(List<Pod> pods) {
            long[] podNanos = new long[pods.size()];
            long[] eventNanos = new long[pods.size()];
            Tally ofPods = Tally.NONE;
            Tally ofEvents = Tally.NONE;
            long all = 0;
            long start = System.nanoTime();
            for (int i = 0; i < podNanos.length; i++) {
                now += STEP;
                Tally before = cluster.tally();
                eventNanos[i] = nanosOf(events.next());
                Tally between = cluster.tally();
                podNanos[i] = nanosOf(new ClusterEvent.Put(pods.get(i)));
                ofEvents = ofEvents.plus(between.since(before));
                all += podNanos[i] + eventNanos[i];
                if (i % PODS_PER_DELETION == LIFE) {
                    all += nanosOf(new ClusterEvent.Removed(pods.get(i - LIFE)));
                }
                ofPods = ofPods.plus(cluster.tally().since(between));
            }
            long elapsed = System.nanoTime() - start;
            pods.forEach(cluster::delete);
            Arrays.sort(podNanos);
            Arrays.sort(eventNanos);
            return new Costs(podNanos, eventNanos, all, elapsed, ofPods, ofEvents);
        }

        private long nanosOf(ClusterEvent event) {
            long start = THREAD.getCurrentThreadCpuTime();
            cluster.happens(event);
            return THREAD.getCurrentThreadCpuTime() - start;
        }
    }

    /**
     * The events of nodes in a large cluster, one after the other. Of a hundred:
     *
     * <pre>
     *   60  a status that says what it said: a heartbeat
     *   15  a label has another value
     *   15  a little more or less is allocatable
     *    8  a node is cordoned, or the one that has been so longest is uncordoned
     *    2  a node comes, or the one that came goes
     * </pre>
     */
    static final class NodeEvents {
        private static final int HEARTBEATS = 60;
        private static final int LABELS = HEARTBEATS + 15;
        private static final int ALLOCATABLE = LABELS + 15;
        private static final int CORDONS = ALLOCATABLE + 8;
        private static final int ALL = 100;

        private static final String LOAD = "example.com/load";
        private static final List<String> LOADS = List.of("low", "usual", "high");

        private final List<Node> nodes;
        private final int zones;
        private final SplittableRandom random;
        private final Queue<Integer> cordoned = new ArrayDeque<>();
        private boolean isCordoning;
        private Optional<Node> added = Optional.empty();
        private int additions;
        private long versions;

        /** @param nodes as they are; those in front, as many as there are zones, stay open */
        NodeEvents(List<Node> nodes, int zones, long seed) {
            this.nodes = new ArrayList<>(nodes);
            this.zones = zones;
            this.random = new SplittableRandom(seed);
            for (int i = 0; i < nodes.size(); i++) {
                if (nodes.get(i).unschedulable()) {
                    cordoned.add(i);
                }
            }
        }

        ClusterEvent next() {
            int kind = random.nextInt(ALL);
            int index = random.nextInt(nodes.size());
            if (kind >= CORDONS || (kind >= ALLOCATABLE && nodes.size() == zones)) {
                return comesOrGoes();
            }
            if (kind >= ALLOCATABLE) {
                return cordons();
            }
            NodeBuilder node = NodeBuilder.from(nodes.get(index));
            if (kind >= LABELS) {
                node.allocatable(
                        "cpu",
                        Integer.toString(CrowdPods.CrowdCluster.CPUS - random.nextInt(2)),
                        "memory",
                        250 + random.nextInt(7) + "Gi");
            } else if (kind >= HEARTBEATS) {
                node.label(LOAD, LOADS.get(random.nextInt(LOADS.size())));
            }
            return changed(index, node);
        }

        /** In turn, so that as many stay cordoned as were so, give or take one. */
        private ClusterEvent cordons() {
            int mayBe = nodes.size() - zones;
            isCordoning = !isCordoning;
            if (cordoned.isEmpty() || (isCordoning && cordoned.size() < mayBe)) {
                int open = random.nextInt(mayBe);
                while (nodes.get(zones + open).unschedulable()) {
                    open = (open + 1) % mayBe;
                }
                cordoned.add(zones + open);
                return changed(
                        zones + open, NodeBuilder.from(nodes.get(zones + open)).unschedulable(true));
            }
            int longest = cordoned.remove();
            return changed(longest, NodeBuilder.from(nodes.get(longest)).unschedulable(false));
        }

        private ClusterEvent comesOrGoes() {
            if (added.isPresent()) {
                Node gone = added.get();
                added = Optional.empty();
                return new ClusterEvent.Removed(gone);
            }
            String name = "node-added-" + additions++;
            Node node = NodeBuilder.from(nodes.get(random.nextInt(zones)))
                    .name(name)
                    .hostname(name)
                    .version(Long.toString(versions++), 1)
                    .build();
            added = Optional.of(node);
            return new ClusterEvent.Put(node);
        }

        private ClusterEvent changed(int index, NodeBuilder node) {
            Node changed = node.version(Long.toString(versions++), 1).build();
            nodes.set(index, changed);
            return new ClusterEvent.Put(changed);
        }
    }

    /**
     * Pods that fit nowhere, each kind for another reason, and pods in place that keep some of them out. Each is built separately
     * down to its selectors, as pods from an API server share nothing.
     */
    static final class CrowdPods {
        static final int DEPLOYMENTS = 20;
        static final int NAMESPACES = 4;
        private static final int PODS_OF_A_DEPLOYMENT = 500;

        private static final String APP = "app";
        private static final String DISK = "example.com/disk";
        private static final String ZONE = "topology.kubernetes.io/zone";

        /** The reasons that keep the pods of a Deployment out. */
        private enum Kind {
            /** They request more CPU than a node has. */
            LARGE,
            /** No node has the label that they select. */
            SELECTIVE,
            /** They select a pool of nodes and do not tolerate its taint. */
            INTOLERANT,
            /** One is in each zone, and there would have to be another zone before a second may be in one. */
            SPREAD,
            /** One is in each zone, and there may be no second. */
            APART;

            boolean haveOneInEachZone() {
                return this == SPREAD || this == APART;
            }
        }

        private CrowdPods() {}

        /** All that wait; the Deployments take turns, as if all were rolled out at once. */
        static Stream<Pod> waiting(int zones) {
            return IntStream.range(0, DEPLOYMENTS * PODS_OF_A_DEPLOYMENT)
                    .mapToObj(i -> pod(i % DEPLOYMENTS, i / DEPLOYMENTS, zones).build());
        }

        /** The pods in place: one of each zone's. */
        static Stream<Pod> inPlace(int zones) {
            return IntStream.range(0, DEPLOYMENTS)
                    .filter(deployment -> kindOf(deployment).haveOneInEachZone())
                    .boxed()
                    .flatMap(deployment -> IntStream.range(0, zones)
                            .mapToObj(zone -> pod(deployment, PODS_OF_A_DEPLOYMENT + zone, zones)
                                    .nodeName("node-" + zone)
                                    .build()));
        }

        private static Kind kindOf(int deployment) {
            return Kind.values()[deployment % Kind.values().length];
        }

        private static PodBuilder pod(int deployment, int index, int zones) {
            String app = "crowd-" + deployment;
            String name = app + "-" + index;
            LabelSelector peers = LabelSelector.matchingLabels(Labels.of(APP, app));
            Kind kind = kindOf(deployment);
            int cpus = kind == Kind.LARGE ? CrowdCluster.CPUS + 1 + deployment : 1;
            PodBuilder pod = PodBuilder.pod(name)
                    .namespace("team-" + deployment % NAMESPACES)
                    .uid(name)
                    .label(APP, app)
                    .container("cpu", Integer.toString(cpus), "memory", "128Mi");
            return switch (kind) {
                case LARGE -> pod;
                case SELECTIVE ->
                    deployment % 2 == 0
                            ? pod.nodeSelector(DISK, "of-" + app)
                            : pod.nodeAffinity(required(new NodeSelectorRequirement(
                                    DISK, NodeSelectorRequirement.Operator.IN, List.of("of-" + app))));
                case INTOLERANT -> pod.nodeSelector(CrowdCluster.POOL, CrowdCluster.DEDICATED);
                case SPREAD -> pod.spread(moreZonesThan(zones, peers));
                case APART ->
                    pod.podAffinity(new PodAffinity(
                            List.of(),
                            List.of(),
                            List.of(new PodAffinityTerm(peers, ZONE, List.of(), LabelSelector.NOTHING)),
                            List.of()));
            };
        }

        private static NodeAffinity required(NodeSelectorRequirement requirement) {
            return new NodeAffinity(
                    Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(List.of(requirement), List.of())))),
                    List.of());
        }

        private static TopologySpreadConstraint moreZonesThan(int zones, LabelSelector peers) {
            return new TopologySpreadConstraint(
                    1,
                    ZONE,
                    WhenUnsatisfiable.DO_NOT_SCHEDULE,
                    peers,
                    zones + 1,
                    NodeInclusionPolicy.HONOR,
                    NodeInclusionPolicy.IGNORE,
                    List.of());
        }

        /** The nodes that the crowd waits for: a few of a pool for others alone, a few that are cordoned. */
        static final class CrowdCluster {
            static final int CPUS = 64;
            static final String POOL = "example.com/pool";
            static final String DEDICATED = "dedicated";

            private static final int NODES_PER_DEDICATED = 20;
            private static final int NODES_PER_CORDONED = 50;

            private CrowdCluster() {}

            /** The first of each zone is an ordinary one. */
            static List<Node> nodes(BenchCase benchCase) {
                List<Node> nodes = new ArrayList<>();
                for (KubernetesObject object : WorkloadCluster.objects(benchCase)) {
                    if (object instanceof Node node) {
                        int index = nodes.size();
                        nodes.add(index < benchCase.zones() ? node : special(node, index));
                    }
                }
                return nodes;
            }

            private static Node special(Node node, int index) {
                if (index % NODES_PER_DEDICATED == 0) {
                    return NodeBuilder.from(node)
                            .label(POOL, DEDICATED)
                            .taint(POOL, DEDICATED, TaintEffect.NO_SCHEDULE)
                            .build();
                }
                return index % NODES_PER_CORDONED == 1
                        ? NodeBuilder.from(node).unschedulable(true).build()
                        : node;
            }
        }
    }
}
