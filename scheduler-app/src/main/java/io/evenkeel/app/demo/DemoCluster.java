package io.evenkeel.app.demo;

import io.evenkeel.cluster.NodeSet;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.ClusterEvent;
import io.evenkeel.engine.Decision;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.FirstByName;
import io.evenkeel.engine.SchedulingCycle;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A cluster in an engine of its own, with the default configuration; ties go to the first node by name, so that a story
 * is the same each time. What the engine knows is the truth here: tables and counts are read from its state.
 */
final class DemoCluster {
    private static final Pattern NODE = Pattern.compile("([\\w-]+)\\[([^]]*)]");

    private final Engine engine = new Engine(
            SchedulerConfiguration.defaults(),
            InTreePlugins.registry(),
            new FirstByName(),
            SchedulingCycle.Scoring.ALWAYS);
    private final List<Pod> waiting = new ArrayList<>();
    private long engineNanos;

    private DemoCluster() {}

    static DemoCluster empty() {
        return new DemoCluster();
    }

    /** A cluster from a drawing of zones, their nodes and the pods on them: {@code "zone-a: node1[web-1 web-2] | …"}. */
    static DemoCluster drawn(String drawing) {
        return drawn(drawing, DemoObjects::pod);
    }

    static DemoCluster drawn(String drawing, Function<String, PodBuilder> podNamed) {
        DemoCluster cluster = new DemoCluster();
        for (String zone : drawing.split("\\|", -1)) {
            String zoneName = zone.substring(0, zone.indexOf(':')).strip();
            Matcher node = NODE.matcher(zone);
            while (node.find()) {
                cluster.put(DemoObjects.node(node.group(1), zoneName).build());
                for (String pod : node.group(2).split(" ", -1)) {
                    if (!pod.isEmpty()) {
                        cluster.put(podNamed.apply(pod).nodeName(node.group(1)).build());
                    }
                }
            }
        }
        return cluster;
    }

    void put(KubernetesObject object) {
        engine.apply(new ClusterEvent.Put(object));
    }

    void remove(KubernetesObject object) {
        engine.apply(new ClusterEvent.Removed(object));
    }

    /** Asks the engine for one decision and acts on it. */
    Answer schedule(Pod pod) {
        waiting.remove(pod);
        long start = System.nanoTime();
        Decision decision = engine.decide(pod);
        engineNanos += System.nanoTime() - start;
        String why = engine.profileOf(pod)
                .map(profile -> new Reasoning(profile, engine.cluster().nodes()).of(decision))
                .orElseThrow();
        return switch (decision) {
            case Decision.Placed placed -> {
                long assuming = System.nanoTime();
                engine.assume(pod, placed);
                engineNanos += System.nanoTime() - assuming;
                yield new Answer(pod, Optional.of(engine.cluster().nodes().node(placed.node())), "", why);
            }
            case Decision.Unschedulable unschedulable -> {
                waiting.add(pod);
                yield new Answer(
                        pod, Optional.empty(), unschedulable.diagnosis().message(), why);
            }
        };
    }

    /** One decision after the other. */
    List<Answer> schedule(List<Pod> pods) {
        return pods.stream().map(this::schedule).toList();
    }

    /** The nodes by zone and name. */
    List<Node> nodes() {
        NodeSet present = engine.cluster().nodes().present();
        return IntStream.range(0, engine.cluster().nodes().end())
                .filter(present::contains)
                .mapToObj(engine.cluster().nodes()::node)
                .sorted(Comparator.comparing(DemoObjects::zoneOf).thenComparing(Node::name))
                .toList();
    }

    /** The pods on a node by name. */
    List<Pod> podsOn(Node node) {
        int row = engine.cluster().nodes().find(node.name());
        var pods = engine.cluster().pods();
        return IntStream.iterate(pods.firstOnNode(row), found -> found >= 0, pods::nextOnNode)
                .mapToObj(pods::pod)
                .sorted(Comparator.comparing(Pod::name))
                .toList();
    }

    /** Whether the pod stands where it does by this engine's decision. */
    boolean isPlacedHere(Pod pod) {
        return engine.cluster().isAssumed(pod.key());
    }

    List<Pod> waiting() {
        return List.copyOf(waiting);
    }

    /** How many pods each zone has. */
    Map<String, Integer> podsByZone() {
        Map<String, Integer> counts = new TreeMap<>();
        for (Node node : nodes()) {
            counts.merge(DemoObjects.zoneOf(node), podsOn(node).size(), Integer::sum);
        }
        return counts;
    }

    /** How long the engine has taken for all decisions so far, without their explanation. */
    Duration engineTime() {
        return Duration.ofNanos(engineNanos);
    }
}
