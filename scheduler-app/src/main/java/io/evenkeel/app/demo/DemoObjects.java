package io.evenkeel.app.demo;

import io.evenkeel.model.Node;
import io.evenkeel.model.NodeBuilder;
import io.evenkeel.model.PodBuilder;

/** The nodes and pods that the stories have in common. */
final class DemoObjects {
    static final String APP = "app";
    static final String ZONE = "topology.kubernetes.io/zone";
    static final String HOSTNAME = "kubernetes.io/hostname";

    private DemoObjects() {}

    /** A node with four cores. */
    static NodeBuilder node(String name, String zone) {
        return NodeBuilder.node(name)
                .hostname(name)
                .zone(zone)
                .allocatable("cpu", "4", "memory", "16Gi", "pods", "110");
    }

    /** A small pod whose app is the name's first part: {@code web-1} is of the app {@code web}. */
    static PodBuilder pod(String name) {
        return PodBuilder.pod(name)
                .label(APP, name.substring(0, name.indexOf('-')))
                .container("cpu", "200m", "memory", "256Mi");
    }

    static String zoneOf(Node node) {
        return node.labels().getOrDefault(ZONE, "no zone");
    }
}
