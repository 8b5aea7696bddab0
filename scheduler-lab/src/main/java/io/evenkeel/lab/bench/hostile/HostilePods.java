package io.evenkeel.lab.bench.hostile;

import io.evenkeel.lab.bench.BenchCase;
import io.evenkeel.lab.bench.Workload;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelRequirement.Operator;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The pods of a tenant who means harm, each as large as an API server takes them. */
final class HostilePods {
    private static final String NAMESPACE = "hostile";
    private static final String APP = "app";
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final String ZONE = "topology.kubernetes.io/zone";

    private static final int PODS_WITH_VALUES = 150;
    private static final int VALUES = 10_000;
    private static final String ENDING = "-of-a-label-value-that-is-as-long-as-it-may-be";

    private static final int PODS_WITH_TERMS = 10_000;
    private static final int TERMS = 20;

    private static final int MOST_RESOURCES = 12_000;
    private static final int PODS_WITH_RESOURCES = 1_000;
    private static final int RESOURCES = 12;

    private static final int WORKLOADS_A_NODE = 2;
    private static final int PODS_A_WORKLOAD = 2;

    private HostilePods() {}

    static boolean areOf(Workload workload) {
        return switch (workload) {
            case HOSTILE_VALUES, HOSTILE_TERMS, HOSTILE_RESOURCES, HOSTILE_HOSTNAMES -> true;
            default -> false;
        };
    }

    /**
     * Made one by one, as they would come, so that only those are in memory that the scheduler keeps. Where they get
     * nodes there are as many as the others leave room for.
     */
    static Stream<Pod> of(BenchCase benchCase) {
        return switch (benchCase.workload()) {
            case HOSTILE_VALUES -> IntStream.range(0, PODS_WITH_VALUES).mapToObj(HostilePods::withValues);
            case HOSTILE_TERMS -> IntStream.range(0, PODS_WITH_TERMS).mapToObj(HostilePods::withTerms);
            case HOSTILE_RESOURCES ->
                IntStream.rangeClosed(0, PODS_WITH_RESOURCES + 1).mapToObj(HostilePods::withResources);
            case HOSTILE_HOSTNAMES ->
                IntStream.range(0, benchCase.nodes() * WORKLOADS_A_NODE * PODS_A_WORKLOAD)
                        .mapToObj(HostilePods::byHost);
            default -> throw new IllegalArgumentException(benchCase.workload().id() + " has no hostile tenant");
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
                        ? pod.podAffinity(new PodAffinity(List.of(), List.of(), List.of(term(ZONE, many)), List.of()))
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
                .container(ContainerBuilder.container("c").requests(requests).build());
        return (index > PODS_WITH_RESOURCES ? pod : pod.nodeName("node-0")).build();
    }

    /** Small workloads that keep their pods on different hosts, in turn by spread and by anti-affinity. */
    private static Pod byHost(int index) {
        int workload = index / PODS_A_WORKLOAD;
        String app = "hostile-" + workload;
        LabelSelector peers = LabelSelector.matchingLabels(Labels.of(APP, app));
        PodBuilder pod = pod(index).label(APP, app);
        return (workload % 2 == 0
                        ? pod.spread(TopologySpreadConstraint.of(1, HOSTNAME, WhenUnsatisfiable.DO_NOT_SCHEDULE, peers))
                        : pod.podAffinity(
                                new PodAffinity(List.of(), List.of(), List.of(term(HOSTNAME, peers)), List.of())))
                .build();
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
