package io.evenkeel.lab.bench.hostile;

import io.evenkeel.lab.bench.Workload;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelRequirement.Operator;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The pods of a tenant who means harm, each as large as an API server takes them. */
final class HostilePods {
    private static final String NAMESPACE = "hostile";
    private static final String APP = "app";
    private static final String ZONE = "topology.kubernetes.io/zone";

    private static final int PODS_WITH_VALUES = 150;
    private static final int VALUES = 10_000;
    private static final String ENDING = "-of-a-label-value-that-is-as-long-as-it-may-be";

    private static final int PODS_WITH_TERMS = 10_000;
    private static final int TERMS = 20;

    private HostilePods() {}

    static boolean areOf(Workload workload) {
        return workload == Workload.HOSTILE_VALUES || workload == Workload.HOSTILE_TERMS;
    }

    /** Made one by one, as they would come, so that only those are in memory that the scheduler keeps. */
    static Stream<Pod> of(Workload workload) {
        return switch (workload) {
            case HOSTILE_VALUES -> IntStream.range(0, PODS_WITH_VALUES).mapToObj(HostilePods::withValues);
            case HOSTILE_TERMS -> IntStream.range(0, PODS_WITH_TERMS).mapToObj(HostilePods::withTerms);
            default -> throw new IllegalArgumentException(workload.id() + " has no hostile tenant");
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
                        ? pod.podAffinity(new PodAffinity(List.of(), List.of(), List.of(term(many)), List.of()))
                        : pod.spread(TopologySpreadConstraint.of(1, ZONE, WhenUnsatisfiable.DO_NOT_SCHEDULE, many)))
                .build();
    }

    /** Waits for company that never comes. */
    private static Pod withTerms(int index) {
        List<PodAffinityTerm> terms = IntStream.range(0, TERMS)
                .mapToObj(term -> term(LabelSelector.matchingLabels(Labels.of(APP, "absent-" + index + "-" + term))))
                .toList();
        return pod(index)
                .podAffinity(new PodAffinity(terms, List.of(), List.of(), List.of()))
                .build();
    }

    private static PodBuilder pod(int index) {
        return PodBuilder.pod("hostile-" + index)
                .namespace(NAMESPACE)
                .uid("hostile-" + index)
                .label(APP, "hostile")
                .container("cpu", "1m");
    }

    private static PodAffinityTerm term(LabelSelector selector) {
        return new PodAffinityTerm(selector, ZONE, List.of(), LabelSelector.NOTHING);
    }
}
