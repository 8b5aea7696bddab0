package io.evenkeel.lab.bench;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Pods that fit nowhere, each kind for another reason, and pods in place that keep some of them out. Each is built separately
 * down to its selectors, as pods from an API server share nothing.
 */
final class CrowdPods {
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
