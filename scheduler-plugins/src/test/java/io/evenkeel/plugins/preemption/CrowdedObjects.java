package io.evenkeel.plugins.preemption;

import static io.evenkeel.plugins.RandomCluster.oneOf;

import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Nodes that are mostly full, pods of many priorities, budgets, and pods with every kind of constraint. */
final class CrowdedObjects {
    static final int NODES = 7;
    private static final String[] APPS = {"a", "b", "c"};

    private final SplittableRandom random;

    CrowdedObjects(SplittableRandom random) {
        this.random = random;
    }

    Node node(int number) {
        NodeBuilder node = NodeBuilder.node("n" + number)
                .label("disk", oneOf(random, "ssd", "hdd"))
                .allocatable("cpu", oneOf(random, "2", "3", "5"), "pods", oneOf(random, "4", "9"));
        if (random.nextInt(8) > 0) {
            node.hostname("n" + number);
        }
        if (random.nextInt(8) > 0) {
            node.zone(oneOf(random, "x", "y", "z"));
        }
        if (random.nextInt(8) == 0) {
            node.taint("t", "", TaintEffect.NO_SCHEDULE);
        }
        return node.unschedulable(random.nextInt(12) == 0).build();
    }

    /** Of any priority, perhaps on a node that is not there. */
    Pod placed(String name) {
        PodBuilder pod = PodBuilder.pod(name)
                .uid(name + random.nextInt(1_000))
                .nodeName("n" + random.nextInt(NODES))
                .priority(random.nextInt(5) - 1)
                .container("cpu", oneOf(random, "500m", "1", "2"))
                .terminating(random.nextInt(8) == 0)
                .status(status());
        if (random.nextInt(5) > 0) {
            pod.label("app", oneOf(random, APPS));
        }
        constrain(pod);
        return pod.build();
    }

    /** The same, as it is heard of again. */
    Pod changed(Pod pod) {
        PodBuilder changed = PodBuilder.from(pod);
        switch (random.nextInt(4)) {
            case 0 -> changed.label("app", oneOf(random, APPS));
            case 1 -> changed.terminating(true);
            case 2 -> changed.uid("other").priority(random.nextInt(5) - 1);
            default -> changed.status(status());
        }
        return changed.build();
    }

    Pod preemptor(String name) {
        PodBuilder pod = PodBuilder.pod(name)
                .uid(name)
                .label("app", oneOf(random, APPS))
                .priority(random.nextInt(6))
                .container("cpu", oneOf(random, "500m", "2", "3"));
        if (random.nextInt(2) == 0) {
            constrain(pod);
        }
        if (random.nextInt(8) == 0) {
            pod.nodeSelector("disk", "ssd");
        }
        if (random.nextInt(8) == 0) {
            pod.toleration(new Toleration("t", Toleration.Operator.EXISTS, "", Optional.empty()));
        }
        if (random.nextInt(16) == 0) {
            pod.hostNetwork(true).hostUsers(false);
        }
        return pod.build();
    }

    PodDisruptionBudget budget() {
        String name = oneOf(random, "a", "b", "c", "d", "e");
        LabelSelector selector = switch (name) {
            case "d" -> LabelSelector.EVERYTHING;
            case "e" -> LabelSelector.NOTHING;
            default -> selecting(oneOf(random, APPS));
        };
        return new PodDisruptionBudget(
                ObjectMeta.named("default", name),
                selector,
                random.nextInt(3),
                random.nextInt(4) == 0 ? Set.of("p" + random.nextInt(40)) : Set.of());
    }

    private PodStatus status() {
        PodStatusBuilder running = PodStatusBuilder.running();
        if (random.nextInt(5) > 0) {
            running.startTime("2026-01-01T00:00:0" + random.nextInt(5) + "Z");
        }
        return running.build();
    }

    private void constrain(PodBuilder pod) {
        switch (random.nextInt(10)) {
            case 0 -> pod.hostPort(80);
            case 1 -> pod.podAffinity(new PodAffinity(List.of(), List.of(), List.of(term()), List.of()));
            case 2 -> pod.podAffinity(new PodAffinity(List.of(term()), List.of(), List.of(), List.of()));
            case 3 -> pod.podAffinity(new PodAffinity(List.of(term(), term()), List.of(), List.of(term()), List.of()));
            case 4, 5 -> pod.spread(spread());
            case 6 -> pod.spread(spread()).spread(spread());
            default -> {}
        }
    }

    private PodAffinityTerm term() {
        return new PodAffinityTerm(selecting(oneOf(random, APPS)), topologyKey(), List.of(), LabelSelector.NOTHING);
    }

    private TopologySpreadConstraint spread() {
        return new TopologySpreadConstraint(
                1 + random.nextInt(2),
                topologyKey(),
                WhenUnsatisfiable.DO_NOT_SCHEDULE,
                selecting(oneOf(random, APPS)),
                1 + random.nextInt(3),
                oneOf(random, NodeInclusionPolicy.HONOR, NodeInclusionPolicy.IGNORE),
                oneOf(random, NodeInclusionPolicy.HONOR, NodeInclusionPolicy.IGNORE),
                List.of());
    }

    private String topologyKey() {
        return oneOf(random, "kubernetes.io/hostname", "topology.kubernetes.io/zone");
    }

    private static LabelSelector selecting(String app) {
        return LabelSelector.matchingLabels(Labels.of("app", app));
    }
}
