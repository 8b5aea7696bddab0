package io.evenkeel.benchmarks;

import io.evenkeel.model.Container;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinity.WeightedPodAffinityTerm;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Nodes that differ in all that plugins read, and a pod that gives every plugin something to do. */
final class DemandingObjects {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String IMAGE = "registry.k8s.io/web:1";
    private static final LabelSelector PEERS = LabelSelector.matchingLabels(Labels.of("app", "web"));

    private DemandingObjects() {}

    static String nodeName(int index) {
        return "node-" + index;
    }

    static List<Node> nodes(int count) {
        List<Node> nodes = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            nodes.add(node(index));
        }
        return nodes;
    }

    private static Node node(int index) {
        NodeBuilder node = NodeBuilder.node(nodeName(index))
                .hostname(nodeName(index))
                .zone("zone-" + index % 5)
                .label("disk", index % 3 == 0 ? "ssd" : "hdd")
                .allocatable("cpu", "64", "memory", "256Gi", "pods", "110")
                .unschedulable(index % 100 == 99);
        if (index % 10 == 0) {
            node.taint("dedicated", "batch", TaintEffect.NO_SCHEDULE);
        }
        if (index % 10 == 5) {
            node.taint("spot", "", TaintEffect.PREFER_NO_SCHEDULE);
        }
        if (index % 2 == 0) {
            node.image(200_000_000, IMAGE);
        }
        return node.build();
    }

    /** A pod that all the others are peers of, with a host port of its own. */
    static Pod pod(String name) {
        return builder(name)
                .container(ContainerBuilder.container("proxy")
                        .hostPort("TCP", 8080)
                        .build())
                .build();
    }

    /** A peer that is on a node; one in four holds the host port. */
    static Pod placedPod(int index) {
        PodBuilder pod = builder("placed-" + index).nodeName(nodeName(index));
        return index % 4 == 0 ? pod.hostPort(8080).build() : pod.build();
    }

    private static PodBuilder builder(String name) {
        Container web = ContainerBuilder.container("web")
                .image(IMAGE)
                .requests("cpu", "100m", "memory", "128Mi")
                .build();
        return PodBuilder.pod(name)
                .label("app", "web")
                .container(web)
                .toleration(new Toleration("dedicated", Toleration.Operator.EXISTS, "", Optional.empty()))
                .nodeAffinity(new NodeAffinity(
                        Optional.of(new NodeSelector(List.of(disk("ssd", "hdd")))),
                        List.of(new PreferredSchedulingTerm(10, disk("ssd")))))
                .spread(TopologySpreadConstraint.of(1_000_000, ZONE, WhenUnsatisfiable.DO_NOT_SCHEDULE, PEERS))
                .spread(TopologySpreadConstraint.of(1, Node.HOSTNAME, WhenUnsatisfiable.SCHEDULE_ANYWAY, PEERS))
                .podAffinity(new PodAffinity(
                        List.of(peersIn(ZONE)),
                        List.of(),
                        List.of(),
                        List.of(new WeightedPodAffinityTerm(100, peersIn(Node.HOSTNAME)))));
    }

    private static NodeSelectorTerm disk(String... kinds) {
        return new NodeSelectorTerm(
                List.of(new NodeSelectorRequirement("disk", NodeSelectorRequirement.Operator.IN, List.of(kinds))),
                List.of());
    }

    private static PodAffinityTerm peersIn(String topologyKey) {
        return new PodAffinityTerm(PEERS, topologyKey, List.of(), LabelSelector.NOTHING);
    }
}
