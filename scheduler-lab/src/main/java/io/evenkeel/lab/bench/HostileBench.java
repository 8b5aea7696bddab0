package io.evenkeel.lab.bench;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelRequirement.Operator;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Places pods, lets a tenant create what it means harm with, and places the same pods again, while its pods go and come back. */
record HostileBench(PluginRegistry registry) {
    private static final int WARM_UPS = 3;
    /** Until then all that a tenant has created is tried, before the others come. */
    private static final Duration ALONE = Duration.ofSeconds(30);

    static boolean measures(Workload workload) {
        return HostileObjects.areOf(workload);
    }

    BenchReport run(BenchCase benchCase) {
        SharedCluster cluster = new SharedCluster(benchCase, registry);
        List<Pod> pods = WorkloadPods.of(benchCase).stream()
                .map(pod -> PodBuilder.from(pod).uid(pod.name()).build())
                .toList();
        for (int i = 0; i < WARM_UPS; i++) {
            cluster.place(pods, List.of());
        }
        Delays before = cluster.place(pods, List.of());
        double usedBefore = usedMegabytes();
        long start = System.nanoTime();
        List<Pod> hostile = cluster.takeIn(HostileObjects.of(benchCase), ALONE);
        double seconds = (System.nanoTime() - start) / 1e9;
        double kept = usedMegabytes() - usedBefore;
        int placed = cluster.live().placed();
        QueueCounts queue = cluster.live().queue();
        int waiting = queue.active() + queue.backoff() + queue.unschedulable() + queue.gated();
        for (int i = 0; i < WARM_UPS; i++) {
            cluster.place(pods, hostile); // so that what the tenant does is compiled, too
        }
        Delays after = cluster.place(pods, hostile);
        BenchReport report = BenchReport.of(benchCase, "", "")
                .line("hostile pods", "%,d placed, %,d waiting; %,.1f s, %,.0f MB kept", placed, waiting, seconds, kept)
                .line("others' pods", "%,d, two hundred a second, before and after", benchCase.pods())
                .line("", "   p50        p99  µs         cpu µs        units       hints, a pod")
                .put("placed", after.placed())
                .put("unschedulable", benchCase.pods() - after.placed())
                .put("hostile_placed", placed)
                .put("hostile_waiting", waiting)
                .put("hostile_s", seconds, 1)
                .put("hostile_kept_mb", kept, 1)
                .put("pods_per_s", after.podsPerSecond(), 1)
                .put("cpu_us_per_pod", after.cpuMicros(), 1);
        before.addTo(report, "before", "undisturbed");
        after.addTo(report, "after", "disturbed");
        return report.line(
                        "times",
                        "%,6.2f %,10.2f      %,10.2f %,12.2f",
                        after.p50Micros() / before.p50Micros(),
                        after.p99Micros() / before.p99Micros(),
                        after.cpuMicros() / before.cpuMicros(),
                        after.units() / before.units())
                .seed(benchCase.seed());
    }

    private static double usedMegabytes() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        System.gc();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
    }

    /**
     * How long pods took, each from its creation to its binding, and what all that was done meanwhile cost, for each of them. Time
     * is processor time of the one thread that does all: what else the machine has to do does not count.
     *
     * @param placed how many of them have a node
     * @param podsPerSecond by the clock on the wall, without the time between two pods
     * @param cpuMicros of the processor
     * @param units of work
     * @param hints how often a plugin was asked whether a change may help another
     */
    record Delays(
            int placed,
            double podsPerSecond,
            double p50Micros,
            double p99Micros,
            double cpuMicros,
            double units,
            double hints) {

        static Delays of(long[] nanos, int placed, long elapsedNanos, long cpuNanos, long units, long hints) {
            long[] sorted = nanos.clone();
            Arrays.sort(sorted);
            double pods = nanos.length;
            return new Delays(
                    placed,
                    pods * 1e9 / elapsedNanos,
                    PlacementRun.percentileMicros(0.50, sorted),
                    PlacementRun.percentileMicros(0.99, sorted),
                    cpuNanos / 1e3 / pods,
                    units / pods,
                    hints / pods);
        }

        private void addTo(BenchReport report, String label, String prefix) {
            report.line(
                            label,
                            "%,6.1f %,10.1f      %,10.1f %,12.1f  %,10.1f",
                            p50Micros,
                            p99Micros,
                            cpuMicros,
                            units,
                            hints)
                    .put(prefix + "_us_per_pod_p50", p50Micros, 1)
                    .put(prefix + "_us_per_pod_p99", p99Micros, 1)
                    .put(prefix + "_cpu_us_per_pod", cpuMicros, 1)
                    .put(prefix + "_units_per_pod", units, 1)
                    .put(prefix + "_hints_per_pod", hints, 1);
        }
    }

    /**
     * A cluster with a clock that goes on by the processor time that the scheduler takes, and where it has nothing to do, to the next
     * event. So a pod that waits while others are decided waits as long as it would on a machine of its own.
     */
    private static final class SharedCluster {
        /** Between two pods of the others: two hundred a second. */
        private static final long STEP = Duration.ofMillis(5).toNanos();

        private static final int MOST_REMADE = 64;
        private static final long REMADE_EACH = Duration.ofMillis(100).toNanos();
        /** No pod of the others waits so long. */
        private static final long PATIENCE = Duration.ofSeconds(60).toNanos();

        private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

        private static final String CONFIGURATION = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - plugins:
                multiPoint:
                  enabled: [{name: PlacementPolicy}, {name: GroupPlacement}]
            """;

        private final LiveCluster cluster;
        private final Map<String, Long> boundAt = new HashMap<>();
        private long idle;
        private final long start = THREAD.getCurrentThreadCpuTime();

        SharedCluster(BenchCase benchCase, PluginRegistry registry) {
            SchedulerConfiguration configuration = new ConfigurationReader().read("bench", CONFIGURATION);
            cluster = new LiveCluster(
                    configuration,
                    WorkloadCluster.objects(benchCase),
                    benchCase.seed(),
                    registry,
                    this::now,
                    pod -> boundAt.put(pod.key(), now()));
        }

        private long now() {
            return THREAD.getCurrentThreadCpuTime() - start + idle;
        }

        LiveCluster live() {
            return cluster;
        }

        /** All of these come at once; until each has been tried, or for so long. Answers pods among them, some where there are many. */
        List<Pod> takeIn(Stream<? extends KubernetesObject> objects, Duration longest) {
            List<Pod> pods = new ArrayList<>();
            objects.forEach(object -> {
                if (object instanceof Pod pod && pods.size() < MOST_REMADE) {
                    pods.add(pod);
                }
                cluster.takeIn(new ClusterEvent.Put(object));
            });
            long end = now() + longest.toNanos();
            while (cluster.placeNext() && now() < end) {}
            return pods;
        }

        /**
         * The pods come one after the other and go when all are placed.
         *
         * @param hostile pods of a tenant; ten of them go and come back each second
         */
        Delays place(List<Pod> pods, List<Pod> hostile) {
            boundAt.clear();
            long begun = now();
            long units = cluster.units();
            long hints = cluster.tally().hints();
            long cpu = THREAD.getCurrentThreadCpuTime();
            long elapsed = System.nanoTime();
            int came = 0;
            int remade = 0;
            long end = begun + STEP * pods.size() + PATIENCE;
            while ((came < pods.size() || boundAt.size() < pods.size()) && now() < end) {
                while (came < pods.size() && now() >= begun + STEP * came) {
                    cluster.takeIn(new ClusterEvent.Put(pods.get(came++)));
                }
                if (!hostile.isEmpty() && now() >= begun + REMADE_EACH * (remade + 1)) {
                    remake(hostile.get(remade % hostile.size()), ++remade);
                }
                cluster.tick();
                if (!cluster.placeNext()) {
                    waitUntil(came < pods.size() ? begun + STEP * came : end);
                }
            }
            elapsed = System.nanoTime() - elapsed;
            long cpuNanos = THREAD.getCurrentThreadCpuTime() - cpu;
            long[] nanos = new long[pods.size()];
            int placed = 0;
            for (int i = 0; i < nanos.length; i++) {
                Long bound = boundAt.get(pods.get(i).key());
                placed += bound == null ? 0 : 1;
                nanos[i] = (bound == null ? end : bound) - (begun + STEP * i);
            }
            Delays delays = Delays.of(
                    nanos,
                    placed,
                    elapsed,
                    cpuNanos,
                    cluster.units() - units,
                    cluster.tally().hints() - hints);
            pods.forEach(cluster::delete);
            return delays;
        }

        private void remake(Pod pod, int times) {
            cluster.delete(pod);
            cluster.takeIn(new ClusterEvent.Put(
                    PodBuilder.from(pod).uid(pod.meta().uid() + "-" + times).build()));
        }

        /** Until then, or until the scheduler has something to do. */
        private void waitUntil(long next) {
            long until = Math.min(next, cluster.nextDeadline().orElse(next));
            idle += Math.max(0, until - now());
        }
    }

    /** The objects of a tenant who means harm, each as large as an API server takes it. */
    private static final class HostileObjects {
        private static final String NAMESPACE = "hostile";
        private static final String APP = "app";
        private static final String ZONE = "topology.kubernetes.io/zone";

        private static final int PODS_WITH_VALUES = 150;
        private static final int VALUES = 10_000;
        private static final String ENDING = "-of-a-label-value-that-is-as-long-as-it-may-be";

        private static final int PODS_WITH_TERMS = 10_000;
        private static final int TERMS = 20;

        private static final int MOST_RESOURCES = 12_000;
        private static final int PODS_WITH_RESOURCES = 1_000;
        private static final int RESOURCES = 12;

        private static final int LARGE_PODS = 68;
        private static final int MANY_TERMS = 4_000;

        private static final int POLICIES = 2_000;
        private static final int PODS_WITH_POLICIES = 300;

        private static final int GANGS = 20;
        private static final int PODS_A_GANG = 100;
        private static final int[] PODS_OF_A_COLOUR = {3, 7, 11};

        private static final int CLAIMS_A_POD = 500;
        private static final String LOCAL_DISKS = "local-disks";

        private static final int WORKLOADS_A_NODE = 2;
        private static final int PODS_A_WORKLOAD = 2;

        private HostileObjects() {}

        static boolean areOf(Workload workload) {
            return workload.id().startsWith("hostile-");
        }

        /**
         * Made one by one, as they would come, so that only those are in memory that the scheduler keeps. Where they get
         * nodes there are as many as the others leave room for.
         */
        static Stream<? extends KubernetesObject> of(BenchCase benchCase) {
            return switch (benchCase.workload()) {
                case HOSTILE_VALUES -> IntStream.range(0, PODS_WITH_VALUES).mapToObj(HostileObjects::withValues);
                case HOSTILE_TERMS -> IntStream.range(0, PODS_WITH_TERMS).mapToObj(HostileObjects::withTerms);
                case HOSTILE_RESOURCES ->
                    IntStream.rangeClosed(0, PODS_WITH_RESOURCES + 1).mapToObj(HostileObjects::withResources);
                case HOSTILE_HOSTNAMES ->
                    IntStream.range(0, benchCase.nodes() * WORKLOADS_A_NODE * PODS_A_WORKLOAD)
                            .mapToObj(HostileObjects::byHost);
                case HOSTILE_KEYS -> IntStream.range(0, LARGE_PODS).mapToObj(HostileObjects::withKeys);
                case HOSTILE_AFFINITY -> IntStream.range(0, LARGE_PODS).mapToObj(HostileObjects::withManyTerms);
                case HOSTILE_POLICIES ->
                    Stream.concat(
                            IntStream.range(0, POLICIES).mapToObj(HostileObjects::policy),
                            IntStream.range(0, PODS_WITH_POLICIES)
                                    .mapToObj(index -> pod(index)
                                            .label("pod", "hostile-" + index)
                                            .build()));
                case HOSTILE_GROUPS ->
                    Stream.concat(
                            IntStream.range(0, GANGS).mapToObj(HostileObjects::gang),
                            IntStream.range(0, GANGS * PODS_A_GANG).mapToObj(HostileObjects::ofGang));
                case HOSTILE_CLAIMS -> claims(benchCase.nodes());
                default ->
                    throw new IllegalArgumentException(benchCase.workload().id() + " has no hostile tenant");
            };
        }

        /** In turn: kept away from any of many apps, spread among them, spread among all others. */
        private static Pod withValues(int index) {
            Operator operator = index % 3 == 2 ? Operator.NOT_IN : Operator.IN;
            List<String> values = IntStream.range(0, VALUES)
                    .mapToObj(value -> index + "-" + value + ENDING)
                    .toList();
            LabelSelector many = LabelSelector.of(List.of(new LabelRequirement(APP, operator, values)));
            PodBuilder pod = pod(index);
            return (index % 3 == 0
                            ? pod.podAffinity(
                                    new PodAffinity(List.of(), List.of(), List.of(term(ZONE, many)), List.of()))
                            : pod.spread(TopologySpreadConstraint.of(1, ZONE, WhenUnsatisfiable.DO_NOT_SCHEDULE, many)))
                    .build();
        }

        /** Waits for company that never comes. */
        private static Pod withTerms(int index) {
            List<PodAffinityTerm> terms = IntStream.range(0, TERMS)
                    .mapToObj(term ->
                            term(ZONE, LabelSelector.matchingLabels(Labels.of(APP, "absent-" + index + "-" + term))))
                    .toList();
            return pod(index)
                    .podAffinity(new PodAffinity(terms, List.of(), List.of(), List.of()))
                    .build();
        }

        /** One in place with very many made-up resources, a thousand in place with some each, and one that waits for very many. */
        private static Pod withResources(int index) {
            boolean isLarge = index == 0 || index > PODS_WITH_RESOURCES;
            int count = isLarge ? MOST_RESOURCES : RESOURCES;
            Map<String, Quantity> requests = new HashMap<>();
            for (int i = 0; i < count; i++) {
                requests.put("hostile.example.com/of-" + index + "-" + i, Quantity.of(1));
            }
            PodBuilder pod = pod(index)
                    .container(
                            ContainerBuilder.container("c").requests(requests).build());
            return (index > PODS_WITH_RESOURCES ? pod : pod.nodeName("node-0")).build();
        }

        /** Small workloads that keep their pods on different hosts, in turn by spread and by anti-affinity. */
        private static Pod byHost(int index) {
            int workload = index / PODS_A_WORKLOAD;
            String app = "hostile-" + workload;
            LabelSelector peers = LabelSelector.matchingLabels(Labels.of(APP, app));
            PodBuilder pod = pod(index).label(APP, app);
            return (workload % 2 == 0
                            ? pod.spread(TopologySpreadConstraint.of(
                                    1, Node.HOSTNAME, WhenUnsatisfiable.DO_NOT_SCHEDULE, peers))
                            : pod.podAffinity(new PodAffinity(
                                    List.of(), List.of(), List.of(term(Node.HOSTNAME, peers)), List.of())))
                    .build();
        }

        /** Of thousands of labels that no node has: it waits, and would rather be spread over all of them. */
        private static Pod withKeys(int index) {
            PodBuilder pod = pod(index);
            for (int key = 0; key < MANY_TERMS; key++) {
                String own = "key-" + index + "-" + key;
                pod.spread(TopologySpreadConstraint.of(
                        1,
                        own,
                        WhenUnsatisfiable.SCHEDULE_ANYWAY,
                        LabelSelector.matchingLabels(Labels.of(own, "hostile"))));
            }
            return pod.container("cpu", "1000").build();
        }

        /** Waits for company that never comes, and shuns thousands of kinds of pods, also the others' pods. */
        private static Pod withManyTerms(int index) {
            List<PodAffinityTerm> shunned = IntStream.range(0, MANY_TERMS)
                    .mapToObj(term -> term(
                            ZONE,
                            LabelSelector.of(List.of(new LabelRequirement(
                                    APP, Operator.NOT_IN, List.of("hostile", "own-" + index + "-" + term))))))
                    .toList();
            PodAffinityTerm absent = term(ZONE, LabelSelector.matchingLabels(Labels.of(APP, "absent-" + index)));
            return pod(index)
                    .podAffinity(new PodAffinity(List.of(absent), List.of(), shunned, List.of()))
                    .build();
        }

        /** Each is about all of the tenant's pods, and counts pods of all namespaces. */
        private static KubernetesObject policy(int index) {
            return new PlacementPolicy(
                    ObjectMeta.named(NAMESPACE, "hostile-" + index),
                    PolicySpec.of(
                                    LabelSelector.EVERYTHING,
                                    List.of(PolicyRule.over(ZONE).withMaxPods(index == 0 ? 1 : 1_000_000 + index)))
                            .over(LabelSelector.EVERYTHING));
        }

        private static KubernetesObject gang(int index) {
            String name = "gang-" + index;
            return new WorkloadOwner(
                    WorkloadOwner.Kind.REPLICA_SET,
                    new ObjectMeta(NAMESPACE, name, name, Labels.EMPTY, Labels.EMPTY, Optional.empty(), false, "1", 1),
                    LabelSelector.matchingLabels(Labels.of("gang", name)),
                    PODS_A_GANG);
        }

        /** Has pods of different colours, each to be spread by itself, and too large for all of its gang to fit. */
        private static Pod ofGang(int index) {
            String gang = "gang-" + index / PODS_A_GANG;
            PodBuilder pod = pod(index)
                    .label("gang", gang)
                    .annotation(Annotations.GROUP_PLACEMENT, "gang")
                    .controller(new OwnerReference("apps/v1", "ReplicaSet", gang, gang))
                    .container("cpu", index % 2 == 0 ? "1" : "1000");
            for (int key = 0; key < PODS_OF_A_COLOUR.length; key++) {
                String colour = "colour-" + key;
                String value = Integer.toString(index % PODS_OF_A_COLOUR[key]);
                pod.label(colour, value);
                pod.spread(TopologySpreadConstraint.of(
                        1,
                        key == 0 ? ZONE : Node.HOSTNAME,
                        WhenUnsatisfiable.DO_NOT_SCHEDULE,
                        LabelSelector.matchingLabels(Labels.of(colour, value, "gang", gang))));
            }
            return pod.build();
        }

        /** Disks of all nodes, each too small for any of the claims that all the pods have. */
        private static Stream<KubernetesObject> claims(int nodes) {
            VolumeTerms terms = new VolumeTerms(LOCAL_DISKS, Set.of("ReadWriteOnce"), VolumeTerms.FILESYSTEM, "");
            Stream<KubernetesObject> disks = IntStream.range(0, nodes)
                    .mapToObj(node -> new PersistentVolume(
                            ObjectMeta.named("", "disk-" + node),
                            new VolumeSource.Other(),
                            terms,
                            Quantity.parse("1Gi"),
                            Optional.empty(),
                            Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(
                                    List.of(new NodeSelectorRequirement(
                                            Node.HOSTNAME,
                                            NodeSelectorRequirement.Operator.IN,
                                            List.of("node-" + node))),
                                    List.of())))),
                            false));
            Stream<KubernetesObject> claims = IntStream.range(0, CLAIMS_A_POD)
                    .mapToObj(claim -> new PersistentVolumeClaim(
                            ObjectMeta.named(NAMESPACE, "claim-" + claim),
                            terms,
                            Optional.of(Quantity.parse("10Gi")),
                            Optional.empty(),
                            "",
                            false));
            Stream<KubernetesObject> pods = IntStream.range(0, LARGE_PODS).mapToObj(HostileObjects::withClaims);
            StorageClass local = new StorageClass(
                    ObjectMeta.named("", LOCAL_DISKS),
                    "kubernetes.io/no-provisioner",
                    Optional.of(StorageClass.BindingMode.WAIT_FOR_FIRST_CONSUMER),
                    List.of());
            return Stream.of(Stream.of(local), disks, claims, pods).flatMap(each -> each);
        }

        private static Pod withClaims(int index) {
            PodBuilder pod = pod(index);
            IntStream.range(0, CLAIMS_A_POD).forEach(claim -> pod.claim("claim-" + claim));
            return pod.build();
        }

        private static PodBuilder pod(int index) {
            return PodBuilder.pod("hostile-" + index)
                    .namespace(NAMESPACE)
                    .uid("hostile-" + index)
                    .label(APP, "hostile")
                    .container("cpu", "1m");
        }

        private static PodAffinityTerm term(String topologyKey, LabelSelector selector) {
            return new PodAffinityTerm(selector, topologyKey, List.of(), LabelSelector.NOTHING);
        }
    }
}
