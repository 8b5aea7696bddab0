package io.evenkeel.lab.bench;

import io.evenkeel.lab.bench.BenchCaseOptions.WorkloadConverter.ChosenWorkload;
import io.evenkeel.lab.bench.PerfCase.PerfCluster;
import io.evenkeel.lab.bench.PerfCase.PerfPods;
import io.evenkeel.model.Node;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinity.WeightedPodAffinityTerm;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A workload of scheduler_perf in Kubernetes 1.36, at the size that its CI demands a rate of. What is said here,
 * {@link PerfCluster} and {@link PerfPods} make.
 *
 * <p>Left out are workloads about the queue (gates, churn), the API server, devices or the legacy volumes.
 *
 * @param name without the prefix
 * @param floor pods a second that the reference's CI demands at this size; empty where it demands none
 * @param zones of the nodes in turn; empty for nodes without a zone
 * @param namespaces of the residents; 0 for one
 * @param residents scheduled before the first pod is measured, at this number of nodes
 * @param residentsOf their forms in turn
 */
record PerfWorkload(
        String name,
        OptionalInt floor,
        int nodes,
        List<String> zones,
        int namespaces,
        int residents,
        List<PodTemplate> residentsOf,
        int pods,
        PodTemplate podsOf,
        Optional<Intruders> intruders)
        implements ChosenWorkload {
    /** The beginning of these workloads' names, where others may be named too. */
    static final String PREFIX = "perf:";

    /**
     * The columns: floor, nodes, namespaces, residents, pods, zones, name, forms of residents, form of pods, and the form of other pods
     * with how often one comes. Of Unschedulable five impossible pods come each second, which at the floor is one beside each 34; of
     * PreemptionAsync five for which three others have to go, which is one beside each 32.
     */
    private static final String TABLE = """
            270  5000    0  1000 10000 -                    SchedulingBasic DEFAULT DEFAULT
            390 15000    0     0 30000 -                    SchedulingDaemonset - WITHOUT_REQUESTS_FOR_ONE_NODE
            220  5000    0  5000 10000 zone1                SchedulingNodeAffinity NODE_AFFINITY NODE_AFFINITY
             85  5000    0  5000  5000 moon-1,moon-2,moon-3 TopologySpreading DEFAULT SPREAD
            125  5000    0  5000  5000 moon-1,moon-2,moon-3 PreferredTopologySpreading DEFAULT PREFERRED_SPREAD
              -  5000    0  5000 10000 moon-1,moon-2,moon-3 DefaultTopologySpreading DEFAULT WITHOUT_REQUESTS_OF_A_SERVICE
             68  5000    0     0  4000 -                    SchedulingWithNodeInclusionPolicy - SPREAD_OVER_UNTAINTED_HOSTS
             35  5000    0  5000  5000 zone1                SchedulingPodAffinity AFFINITY AFFINITY
             60  5000    0  1000  2000 -                    SchedulingPodAntiAffinity ANTI_AFFINITY ANTI_AFFINITY
            540  5000    0  1000  5000 -                    SchedulingPodMatchingAntiAffinity \
                    ANTI_AFFINITY EXCLUDED_BY_ANTI_AFFINITY
             90  5000    0  5000  5000 -                    SchedulingPreferredPodAffinity PREFERRED_AFFINITY PREFERRED_AFFINITY
             90  5000    0  5000  5000 -                    SchedulingPreferredPodAntiAffinity \
                    PREFERRED_ANTI_AFFINITY PREFERRED_ANTI_AFFINITY
             35  5000  100  5000  2000 zone1                SchedulingRequiredPodAffinityWithNSSelector \
                    AFFINITY_BY_NAMESPACE AFFINITY_BY_NAMESPACE
             24  6000  100  4000  2000 -                    SchedulingRequiredPodAntiAffinityWithNSSelector \
                    ANTI_AFFINITY_BY_NAMESPACE ANTI_AFFINITY_BY_NAMESPACE
             90  5000  100  5000  5000 -                    SchedulingPreferredAffinityWithNSSelector \
                    PREFERRED_AFFINITY_BY_NAMESPACE PREFERRED_AFFINITY_BY_NAMESPACE
             55  5000  100  4000  2000 -                    SchedulingPreferredAntiAffinityWithNSSelector \
                    PREFERRED_ANTI_AFFINITY_BY_NAMESPACE PREFERRED_ANTI_AFFINITY_BY_NAMESPACE
            140  5000    0 10000  5000 zone1                MixedSchedulingBasePod \
                    DEFAULT,AFFINITY,ANTI_AFFINITY,PREFERRED_AFFINITY,PREFERRED_ANTI_AFFINITY DEFAULT
            170  5000    0   100 10000 -                    Unschedulable DEFAULT DEFAULT HIGH_PRIORITY_TOO_LARGE 34
            160  5000    0 20000  5000 -                    PreemptionAsync LOW_PRIORITY DEFAULT HIGH_PRIORITY 32
              -  1000    0  4000  1000 -                    PreemptionBasic LOW_PRIORITY HIGH_PRIORITY
            """;

    static final List<PerfWorkload> ALL =
            TABLE.lines().map(line -> of(line.strip().split(" +", -1))).toList();

    /** Other pods among the measured ones: one after so many. */
    record Intruders(int every, PodTemplate of) {}

    private static PerfWorkload of(String... cells) {
        boolean hasIntruders = cells.length > 9;
        return new PerfWorkload(
                cells[6],
                cells[0].equals("-") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(cells[0])),
                Integer.parseInt(cells[1]),
                listed(cells[5]),
                Integer.parseInt(cells[2]),
                Integer.parseInt(cells[3]),
                listed(cells[7]).stream().map(PodTemplate::valueOf).toList(),
                Integer.parseInt(cells[4]),
                PodTemplate.valueOf(cells[8]),
                hasIntruders
                        ? Optional.of(new Intruders(Integer.parseInt(cells[10]), PodTemplate.valueOf(cells[9])))
                        : Optional.empty());
    }

    private static List<String> listed(String cell) {
        return cell.equals("-") ? List.of() : Arrays.asList(cell.split(",", -1));
    }

    static Optional<PerfWorkload> find(String name) {
        return ALL.stream().filter(workload -> workload.name.equals(name)).findFirst();
    }

    /** The name on the command line. */
    @Override
    public String id() {
        return PREFIX + name;
    }

    /** The names on the command line. */
    static List<String> ids() {
        return ALL.stream().map(PerfWorkload::id).toList();
    }

    /** The forms of pods that the reference's workloads are made of. Each asks for 100m of CPU and 500Mi unless it says otherwise. */
    enum PodTemplate {
        DEFAULT,
        WITHOUT_REQUESTS_FOR_ONE_NODE,
        WITHOUT_REQUESTS_OF_A_SERVICE,
        LOW_PRIORITY,
        HIGH_PRIORITY,
        HIGH_PRIORITY_TOO_LARGE,
        NODE_AFFINITY,
        AFFINITY,
        ANTI_AFFINITY,
        EXCLUDED_BY_ANTI_AFFINITY,
        PREFERRED_AFFINITY,
        PREFERRED_ANTI_AFFINITY,
        AFFINITY_BY_NAMESPACE,
        ANTI_AFFINITY_BY_NAMESPACE,
        PREFERRED_AFFINITY_BY_NAMESPACE,
        PREFERRED_ANTI_AFFINITY_BY_NAMESPACE,
        SPREAD,
        PREFERRED_SPREAD,
        SPREAD_OVER_UNTAINTED_HOSTS;

        static final String ZONE = "topology.kubernetes.io/zone";
        static final String SERVICE_APP = "scheduler-perf";
        static final String ONE_NODE = "scheduler-perf-node";
        static final Labels TEAM = Labels.of("team", "devops");

        private static final String COLOR = "color";
        private static final int HIGH = 10;
        private static final int MAX_SKEW = 5;

        /** Makes a pod of this form, yet without a place, built separately down to its selectors. */
        PodBuilder pod(String namespace, String name) {
            PodBuilder pod = PodBuilder.pod(namespace, name);
            request(pod);
            switch (this) {
                case DEFAULT, LOW_PRIORITY -> {}
                case WITHOUT_REQUESTS_FOR_ONE_NODE ->
                    pod.nodeAffinity(required(new NodeSelectorTerm(
                            List.of(), List.of(in(NodeSelectorTerm.NAME_FIELD, List.of(ONE_NODE))))));
                case WITHOUT_REQUESTS_OF_A_SERVICE -> pod.label("app", SERVICE_APP);
                case HIGH_PRIORITY, HIGH_PRIORITY_TOO_LARGE -> pod.priority(HIGH);
                case NODE_AFFINITY ->
                    pod.nodeAffinity(required(
                            new NodeSelectorTerm(List.of(in(ZONE, List.of("zone1", "zone2"))), List.of())));
                case AFFINITY -> pod.label(COLOR, "blue").podAffinity(with(byName("blue", ZONE)));
                case ANTI_AFFINITY -> pod.label(COLOR, "green").podAffinity(without(byName("green", Node.HOSTNAME)));
                case EXCLUDED_BY_ANTI_AFFINITY -> pod.label(COLOR, "green");
                case PREFERRED_AFFINITY ->
                    pod.label(COLOR, "red").podAffinity(ratherWith(byName("red", Node.HOSTNAME)));
                case PREFERRED_ANTI_AFFINITY ->
                    pod.label(COLOR, "yellow").podAffinity(ratherWithout(byName("yellow", Node.HOSTNAME)));
                case AFFINITY_BY_NAMESPACE -> pod.label(COLOR, "blue").podAffinity(with(byTeam("blue", ZONE)));
                case ANTI_AFFINITY_BY_NAMESPACE ->
                    pod.label(COLOR, "green").podAffinity(without(byTeam("green", Node.HOSTNAME)));
                case PREFERRED_AFFINITY_BY_NAMESPACE ->
                    pod.label(COLOR, "red").podAffinity(ratherWith(byTeam("red", Node.HOSTNAME)));
                case PREFERRED_ANTI_AFFINITY_BY_NAMESPACE ->
                    pod.label(COLOR, "green").podAffinity(ratherWithout(byTeam("green", Node.HOSTNAME)));
                case SPREAD -> pod.label(COLOR, "blue").spread(overZones(WhenUnsatisfiable.DO_NOT_SCHEDULE));
                case PREFERRED_SPREAD -> pod.label(COLOR, "blue").spread(overZones(WhenUnsatisfiable.SCHEDULE_ANYWAY));
                case SPREAD_OVER_UNTAINTED_HOSTS -> pod.label("foo", "bar").spread(overUntaintedHosts());
            }
            return pod;
        }

        private void request(PodBuilder pod) {
            switch (this) {
                case WITHOUT_REQUESTS_FOR_ONE_NODE, WITHOUT_REQUESTS_OF_A_SERVICE -> pod.container();
                case LOW_PRIORITY -> pod.container("cpu", "900m", "memory", "500Mi");
                case HIGH_PRIORITY -> pod.container("cpu", "3000m", "memory", "500Mi");
                case HIGH_PRIORITY_TOO_LARGE -> pod.container("cpu", "9", "memory", "500Mi");
                default -> pod.container("cpu", "100m", "memory", "500Mi");
            }
        }

        private static NodeAffinity required(NodeSelectorTerm term) {
            return new NodeAffinity(Optional.of(new NodeSelector(List.of(term))), List.of());
        }

        private static NodeSelectorRequirement in(String key, List<String> values) {
            return new NodeSelectorRequirement(key, Operator.IN, values);
        }

        private static PodAffinity with(PodAffinityTerm term) {
            return new PodAffinity(List.of(term), List.of(), List.of(), List.of());
        }

        private static PodAffinity ratherWith(PodAffinityTerm term) {
            return new PodAffinity(List.of(), List.of(new WeightedPodAffinityTerm(1, term)), List.of(), List.of());
        }

        private static PodAffinity without(PodAffinityTerm term) {
            return new PodAffinity(List.of(), List.of(), List.of(term), List.of());
        }

        private static PodAffinity ratherWithout(PodAffinityTerm term) {
            return new PodAffinity(List.of(), List.of(), List.of(), List.of(new WeightedPodAffinityTerm(1, term)));
        }

        private static PodAffinityTerm byName(String color, String topologyKey) {
            return new PodAffinityTerm(
                    colored(color), topologyKey, List.of(PerfPods.MEASURED, PerfPods.RESIDENTS), LabelSelector.NOTHING);
        }

        private static PodAffinityTerm byTeam(String color, String topologyKey) {
            return new PodAffinityTerm(colored(color), topologyKey, List.of(), LabelSelector.matchingLabels(TEAM));
        }

        private static LabelSelector colored(String color) {
            return LabelSelector.matchingLabels(Labels.of(COLOR, color));
        }

        private static TopologySpreadConstraint overZones(WhenUnsatisfiable whenUnsatisfiable) {
            return TopologySpreadConstraint.of(MAX_SKEW, ZONE, whenUnsatisfiable, colored("blue"));
        }

        private static TopologySpreadConstraint overUntaintedHosts() {
            return new TopologySpreadConstraint(
                    1,
                    Node.HOSTNAME,
                    WhenUnsatisfiable.DO_NOT_SCHEDULE,
                    LabelSelector.matchingLabels(Labels.of("foo", "bar")),
                    1,
                    NodeInclusionPolicy.HONOR,
                    NodeInclusionPolicy.HONOR,
                    List.of());
        }
    }
}
