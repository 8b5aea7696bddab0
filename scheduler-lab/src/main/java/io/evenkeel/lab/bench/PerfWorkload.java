package io.evenkeel.lab.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Workloads of scheduler_perf in Kubernetes 1.36, at the size that its CI demands a rate of, which is the floor here. What is said
 * here in rows, {@link PerfCluster} and {@link PerfPods} make.
 *
 * <p>Left out are workloads about the queue (gates, churn), the API server, devices or the legacy volumes.
 */
enum PerfWorkload {
    SCHEDULING_BASIC(of("SchedulingBasic", 5_000)
            .residents(1_000)
            .pods(10_000, PodTemplate.DEFAULT)
            .floor(270)),
    SCHEDULING_DAEMONSET(of("SchedulingDaemonset", 15_000)
            .pods(30_000, PodTemplate.WITHOUT_REQUESTS_FOR_ONE_NODE)
            .floor(390)),
    SCHEDULING_NODE_AFFINITY(of("SchedulingNodeAffinity", 5_000)
            .zones("zone1")
            .residents(5_000, PodTemplate.NODE_AFFINITY)
            .pods(10_000, PodTemplate.NODE_AFFINITY)
            .floor(220)),
    TOPOLOGY_SPREADING(of("TopologySpreading", 5_000)
            .zones("moon-1", "moon-2", "moon-3")
            .residents(5_000)
            .pods(5_000, PodTemplate.SPREAD)
            .floor(85)),
    PREFERRED_TOPOLOGY_SPREADING(of("PreferredTopologySpreading", 5_000)
            .zones("moon-1", "moon-2", "moon-3")
            .residents(5_000)
            .pods(5_000, PodTemplate.PREFERRED_SPREAD)
            .floor(125)),
    DEFAULT_TOPOLOGY_SPREADING(of("DefaultTopologySpreading", 5_000)
            .zones("moon-1", "moon-2", "moon-3")
            .residents(5_000)
            .pods(10_000, PodTemplate.WITHOUT_REQUESTS_OF_A_SERVICE)),
    SCHEDULING_WITH_NODE_INCLUSION_POLICY(of("SchedulingWithNodeInclusionPolicy", 5_000)
            .pods(4_000, PodTemplate.SPREAD_OVER_UNTAINTED_HOSTS)
            .floor(68)),
    SCHEDULING_POD_AFFINITY(of("SchedulingPodAffinity", 5_000)
            .zones("zone1")
            .residents(5_000, PodTemplate.AFFINITY)
            .pods(5_000, PodTemplate.AFFINITY)
            .floor(35)),
    SCHEDULING_POD_ANTI_AFFINITY(of("SchedulingPodAntiAffinity", 5_000)
            .residents(1_000, PodTemplate.ANTI_AFFINITY)
            .pods(2_000, PodTemplate.ANTI_AFFINITY)
            .floor(60)),
    SCHEDULING_POD_MATCHING_ANTI_AFFINITY(of("SchedulingPodMatchingAntiAffinity", 5_000)
            .residents(1_000, PodTemplate.ANTI_AFFINITY)
            .pods(5_000, PodTemplate.EXCLUDED_BY_ANTI_AFFINITY)
            .floor(540)),
    SCHEDULING_PREFERRED_POD_AFFINITY(of("SchedulingPreferredPodAffinity", 5_000)
            .residents(5_000, PodTemplate.PREFERRED_AFFINITY)
            .pods(5_000, PodTemplate.PREFERRED_AFFINITY)
            .floor(90)),
    SCHEDULING_PREFERRED_POD_ANTI_AFFINITY(of("SchedulingPreferredPodAntiAffinity", 5_000)
            .residents(5_000, PodTemplate.PREFERRED_ANTI_AFFINITY)
            .pods(5_000, PodTemplate.PREFERRED_ANTI_AFFINITY)
            .floor(90)),
    SCHEDULING_REQUIRED_POD_AFFINITY_WITH_NS_SELECTOR(of("SchedulingRequiredPodAffinityWithNSSelector", 5_000)
            .zones("zone1")
            .namespaces(100)
            .residents(5_000, PodTemplate.AFFINITY_BY_NAMESPACE)
            .pods(2_000, PodTemplate.AFFINITY_BY_NAMESPACE)
            .floor(35)),
    SCHEDULING_REQUIRED_POD_ANTI_AFFINITY_WITH_NS_SELECTOR(of("SchedulingRequiredPodAntiAffinityWithNSSelector", 6_000)
            .namespaces(100)
            .residents(4_000, PodTemplate.ANTI_AFFINITY_BY_NAMESPACE)
            .pods(2_000, PodTemplate.ANTI_AFFINITY_BY_NAMESPACE)
            .floor(24)),
    SCHEDULING_PREFERRED_AFFINITY_WITH_NS_SELECTOR(of("SchedulingPreferredAffinityWithNSSelector", 5_000)
            .namespaces(100)
            .residents(5_000, PodTemplate.PREFERRED_AFFINITY_BY_NAMESPACE)
            .pods(5_000, PodTemplate.PREFERRED_AFFINITY_BY_NAMESPACE)
            .floor(90)),
    SCHEDULING_PREFERRED_ANTI_AFFINITY_WITH_NS_SELECTOR(of("SchedulingPreferredAntiAffinityWithNSSelector", 5_000)
            .namespaces(100)
            .residents(4_000, PodTemplate.PREFERRED_ANTI_AFFINITY_BY_NAMESPACE)
            .pods(2_000, PodTemplate.PREFERRED_ANTI_AFFINITY_BY_NAMESPACE)
            .floor(55)),
    MIXED_SCHEDULING_BASE_POD(of("MixedSchedulingBasePod", 5_000)
            .zones("zone1")
            .residents(
                    10_000,
                    PodTemplate.DEFAULT,
                    PodTemplate.AFFINITY,
                    PodTemplate.ANTI_AFFINITY,
                    PodTemplate.PREFERRED_AFFINITY,
                    PodTemplate.PREFERRED_ANTI_AFFINITY)
            .pods(5_000, PodTemplate.DEFAULT)
            .floor(140)),
    /** Five impossible pods come each second, which at the floor is one beside each 34. */
    UNSCHEDULABLE(of("Unschedulable", 5_000)
            .residents(100)
            .pods(10_000, PodTemplate.DEFAULT)
            .among(34, PodTemplate.HIGH_PRIORITY_TOO_LARGE)
            .floor(170)),
    /** Five pods for which three others have to go come each second, which at the floor is one beside each 32. */
    PREEMPTION_ASYNC(of("PreemptionAsync", 5_000)
            .residents(20_000, PodTemplate.LOW_PRIORITY)
            .pods(5_000, PodTemplate.DEFAULT)
            .among(32, PodTemplate.HIGH_PRIORITY)
            .floor(160)),
    PREEMPTION_BASIC(of("PreemptionBasic", 1_000)
            .residents(4_000, PodTemplate.LOW_PRIORITY)
            .pods(1_000, PodTemplate.HIGH_PRIORITY));

    /** The beginning of these workloads' names, where others may be named too. */
    static final String PREFIX = "perf:";

    @SuppressWarnings("ImmutableEnumChecker") // a record of values and of lists that List.of makes
    private final PerfRow row;

    PerfWorkload(PerfRow row) {
        this.row = row;
    }

    private static PerfRow of(String name, int nodes) {
        return PerfRow.of(name, nodes);
    }

    /** The name, without the prefix. */
    static Optional<PerfWorkload> find(String name) {
        return Arrays.stream(values())
                .filter(workload -> workload.row.name().equals(name))
                .findFirst();
    }

    /** The name on the command line. */
    String id() {
        return PREFIX + row.name();
    }

    int usualNodes() {
        return row.nodes();
    }

    int usualPods() {
        return row.pods();
    }

    /** The pods a second that the reference's CI demands at the usual size; empty where it demands none. */
    OptionalInt floor() {
        return row.floor();
    }

    PerfRow row() {
        return row;
    }

    /** The names on the command line. */
    static List<String> ids() {
        return Arrays.stream(values()).map(PerfWorkload::id).toList();
    }

    /**
     * The make-up of a workload of the reference.
     *
     * @param zones of the nodes in turn; empty for nodes without a zone
     * @param namespaces of the residents; 0 for one
     * @param residents scheduled before the first pod is measured, at the usual number of nodes
     * @param residentsOf their forms in turn
     */
    record PerfRow(
            String name,
            int nodes,
            List<String> zones,
            int namespaces,
            int residents,
            List<PodTemplate> residentsOf,
            int pods,
            PodTemplate podsOf,
            Optional<Intruders> intruders,
            OptionalInt floor) {

        /** Other pods among the measured ones: one after so many. */
        record Intruders(int every, PodTemplate of) {}

        static PerfRow of(String name, int nodes) {
            return new PerfRow(
                    name,
                    nodes,
                    List.of(),
                    0,
                    0,
                    List.of(),
                    1,
                    PodTemplate.DEFAULT,
                    Optional.empty(),
                    OptionalInt.empty());
        }

        PerfRow zones(String... names) {
            return new PerfRow(
                    name, nodes, List.of(names), namespaces, residents, residentsOf, pods, podsOf, intruders, floor);
        }

        PerfRow namespaces(int count) {
            return new PerfRow(name, nodes, zones, count, residents, residentsOf, pods, podsOf, intruders, floor);
        }

        PerfRow residents(int count) {
            return residents(count, PodTemplate.DEFAULT);
        }

        PerfRow residents(int count, PodTemplate... inTurn) {
            return new PerfRow(name, nodes, zones, namespaces, count, List.of(inTurn), pods, podsOf, intruders, floor);
        }

        PerfRow pods(int count, PodTemplate of) {
            return new PerfRow(name, nodes, zones, namespaces, residents, residentsOf, count, of, intruders, floor);
        }

        PerfRow among(int every, PodTemplate of) {
            Intruders others = new Intruders(every, of);
            return new PerfRow(
                    name, nodes, zones, namespaces, residents, residentsOf, pods, podsOf, Optional.of(others), floor);
        }

        PerfRow floor(int podsPerSecond) {
            return new PerfRow(
                    name,
                    nodes,
                    zones,
                    namespaces,
                    residents,
                    residentsOf,
                    pods,
                    podsOf,
                    intruders,
                    OptionalInt.of(podsPerSecond));
        }
    }
}
