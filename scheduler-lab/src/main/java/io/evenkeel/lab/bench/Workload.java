package io.evenkeel.lab.bench;

import io.evenkeel.lab.bench.BenchCaseOptions.WorkloadConverter.ChosenWorkload;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The kinds of pods that there are to be placed. Every pod asks for 100m of CPU and 128Mi of memory unless the workload
 * says otherwise, and its constraints select the pods that share its {@code app} label.
 *
 * <p>What is said here in words, {@link WorkloadPods} and {@link WorkloadCluster} make.
 */
enum Workload implements ChosenWorkload {
    BASIC("basic", "requests only"),
    ZONE_HARD("zone-hard", "spread over zones, maxSkew 1, DoNotSchedule"),
    HOST_HARD("host-hard", "spread over hosts, maxSkew 1, DoNotSchedule"),
    BOTH_HARD("both-hard", "spread over zones and hosts, maxSkew 1, DoNotSchedule"),
    HOST_SOFT("host-soft", "spread over hosts, maxSkew 1, ScheduleAnyway"),
    BOTH_SOFT("both-soft", "spread over zones and hosts, maxSkew 1, ScheduleAnyway"),
    ANTI("anti", "required anti-affinity by host"),
    AFFINITY("affinity", "required affinity by zone"),
    MIXED("mixed", "basic, zone-hard, host-soft, both-hard and anti in turn"),
    SHAPES_UNIQUE(
            "shapes-unique", "StatefulSet pods read from JSON, each with a name label and a token volume of its own"),
    SHAPES_1K("shapes-1k", "1,000 different requests in turn"),
    SHAPES_10K("shapes-10k", "10,000 different requests in turn"),
    DEFAULT_SOFT("default-soft", "a Service for each app; spread by the default constraints"),
    UNSCHEDULABLE("unschedulable", "requests that no node can meet"),
    FULL("full", "requests only, but 98 % of the nodes are full"),
    PREEMPTION("preemption", "of high priority, for nodes full of 20 pods each, two of which have to go"),
    PREEMPTION_PDB("preemption-pdb", "the same, where 100 PodDisruptionBudgets protect those pods"),
    PREEMPTION_SPREAD("preemption-spread", "as preemption, spread over zones, maxSkew 1, DoNotSchedule"),
    VOLUMES("volumes", "two claims: of a volume in one of the zones, and of one that is made near the node"),
    DRA("dra", "a claim made from a template: of one GPU, by its class and an expression; 16 devices a node"),
    TRACE_GPU("trace-gpu", "nodes and pods of a published trace of a GPU cluster"),
    HOSTILE_VALUES("hostile-values", "basic, beside a tenant's 150 pods with selectors of 10,000 values"),
    HOSTILE_TERMS("hostile-terms", "basic, beside a tenant's 10,000 pods that wait by 20 affinity terms each"),
    HOSTILE_RESOURCES("hostile-resources", "basic, beside a tenant's pods with up to 12,000 made-up resources each"),
    HOSTILE_HOSTNAMES(
            "hostile-hostnames", "basic, beside a tenant's two apps a node, each of 2 pods kept apart by host"),
    HOSTILE_KEYS(
            "hostile-keys",
            "basic, beside a tenant's 68 pods with 4,000 spread constraints on labels that no node has"),
    HOSTILE_AFFINITY("hostile-affinity", "basic, beside a tenant's 68 pods with 4,000 anti-affinity terms"),
    HOSTILE_POLICIES("hostile-policies", "basic, beside a tenant's 2,000 PlacementPolicies and 300 pods that wait"),
    HOSTILE_GROUPS(
            "hostile-groups",
            "basic, beside a tenant's 20 gangs of 100 pods with three spread constraints that not all of them can"
                    + " keep"),
    HOSTILE_CLAIMS(
            "hostile-claims",
            "basic, beside a tenant's 68 pods with 500 claims each, for none of which there is a volume"),
    CROWD("crowd", "basic, beside 10,000 pods that fit nowhere, at 1,000 changes of nodes a second");

    private static final List<Workload> MIXED_IN_TURN = List.of(BASIC, ZONE_HARD, HOST_SOFT, BOTH_HARD, ANTI);
    private static final int USUAL_GROUPS = 10;
    private static final int USUAL_NODES = 1_000;
    static final int USUAL_PODS = 1_000;
    private static final int NODES_OF_CROWD = 5_000;

    private final String id;
    private final String description;

    Workload(String id, String description) {
        this.id = id;
        this.description = description;
    }

    /** The name on the command line. */
    @Override
    public String id() {
        return id;
    }

    String description() {
        return description;
    }

    static Optional<Workload> find(String id) {
        return Arrays.stream(values())
                .filter(workload -> workload.id.equals(id))
                .findFirst();
    }

    /** Nodes of the cluster unless an option says otherwise. */
    int usualNodes() {
        return switch (this) {
            case CROWD -> NODES_OF_CROWD;
            case TRACE_GPU -> PublishedTrace.ofGpus().nodes();
            default -> USUAL_NODES;
        };
    }

    /** Pods to be placed unless an option says otherwise. */
    int usualPods() {
        return this == TRACE_GPU ? PublishedTrace.ofGpus().pods() : USUAL_PODS;
    }

    /** Distinct apps of the pods unless an option says otherwise: so many that all pods can be placed. */
    int usualGroups(int nodes, int pods) {
        return Math.max(USUAL_GROUPS, leastGroups(nodes, pods));
    }

    /** With fewer apps, some pods could not be placed. */
    int leastGroups(int nodes, int pods) {
        return this == ANTI || this == MIXED ? Math.ceilDiv(Math.ceilDiv(pods, turns()), nodes) : 1;
    }

    /** Whether others have to go for each pod. */
    boolean preempts() {
        return this == PREEMPTION || this == PREEMPTION_PDB || this == PREEMPTION_SPREAD;
    }

    /** Whether pods are spread over zones so that none may have more than its share. */
    boolean sharesZonesEvenly() {
        return this == ZONE_HARD || this == BOTH_HARD || this == MIXED;
    }

    /** The workload of the pod of this index; never {@link #MIXED}. */
    Workload at(int index) {
        return this == MIXED ? MIXED_IN_TURN.get(index % turns()) : this;
    }

    /** The number of workloads that take turns. */
    int turns() {
        return this == MIXED ? MIXED_IN_TURN.size() : 1;
    }
}
