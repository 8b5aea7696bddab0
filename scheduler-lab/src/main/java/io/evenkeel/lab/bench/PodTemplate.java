package io.evenkeel.lab.bench;

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
import java.util.List;
import java.util.Optional;

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
                pod.nodeAffinity(required(
                        new NodeSelectorTerm(List.of(), List.of(in(NodeSelectorTerm.NAME_FIELD, List.of(ONE_NODE))))));
            case WITHOUT_REQUESTS_OF_A_SERVICE -> pod.label("app", SERVICE_APP);
            case HIGH_PRIORITY, HIGH_PRIORITY_TOO_LARGE -> pod.priority(HIGH);
            case NODE_AFFINITY ->
                pod.nodeAffinity(required(
                        new NodeSelectorTerm(List.of(in(ZONE, List.of("zone1", "zone2"))), List.of())));
            case AFFINITY -> pod.label(COLOR, "blue").podAffinity(with(byName("blue", ZONE)));
            case ANTI_AFFINITY -> pod.label(COLOR, "green").podAffinity(without(byName("green", Node.HOSTNAME)));
            case EXCLUDED_BY_ANTI_AFFINITY -> pod.label(COLOR, "green");
            case PREFERRED_AFFINITY -> pod.label(COLOR, "red").podAffinity(ratherWith(byName("red", Node.HOSTNAME)));
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
