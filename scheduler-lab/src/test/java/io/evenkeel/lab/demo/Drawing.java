package io.evenkeel.lab.demo;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an API might show, drawn: zones, their nodes and the pods on them. */
final class Drawing {
    private static final Pattern NODE = Pattern.compile("([\\w-]+)\\[([^]]*)]");

    private final List<Node> nodes = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();

    static Drawing empty() {
        return new Drawing();
    }

    /** {@code "zone-a: node1[web-1 web-2] node2[] | zone-b: …"}. */
    static Cluster of(String text) {
        Drawing drawing = new Drawing();
        for (String zone : text.split("\\|", -1)) {
            Matcher node = NODE.matcher(zone);
            while (node.find()) {
                drawing.with(
                        node(node.group(1), zone.substring(0, zone.indexOf(':')).strip())
                                .build());
                for (String pod : node.group(2).split(" ", -1)) {
                    if (!pod.isEmpty()) {
                        drawing.with(pod(pod).nodeName(node.group(1)).build());
                    }
                }
            }
        }
        return drawing.cluster();
    }

    static NodeBuilder node(String name, String zone) {
        return NodeBuilder.node(name).hostname(name).zone(zone);
    }

    /** A pod of the app that its name begins with. */
    static PodBuilder pod(String name) {
        return PodBuilder.pod(name).label("app", name.substring(0, name.indexOf('-')));
    }

    Drawing with(Node node) {
        nodes.add(node);
        return this;
    }

    Drawing with(Pod pod) {
        pods.add(pod);
        return this;
    }

    Cluster cluster() {
        return Cluster.of(nodes.stream(), pods.stream());
    }
}
