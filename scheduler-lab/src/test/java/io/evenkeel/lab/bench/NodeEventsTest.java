package io.evenkeel.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.lab.bench.CrowdBench.CrowdPods.CrowdCluster;
import io.evenkeel.lab.bench.CrowdBench.NodeEvents;
import io.evenkeel.model.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeEventsTest {
    private static final int ZONES = 3;

    private final List<Node> nodes = CrowdCluster.nodes(new BenchCase(Workload.CROWD, 200, 1, ZONES, 1, 0, 1));

    @Test
    void leaveTheClusterAboutAsItWas() {
        Map<String, Node> now = new HashMap<>();
        nodes.forEach(node -> now.put(node.name(), node));
        NodeEvents events = new NodeEvents(nodes, ZONES, 1);
        int heartbeats = 0;
        for (int i = 0; i < 10_000; i++) {
            ClusterEvent event = events.next();
            if (event instanceof ClusterEvent.Put(Node node)) {
                Optional<Node> before = Optional.ofNullable(now.put(node.name(), node));
                heartbeats += before.filter(node::schedulesLike).isPresent() ? 1 : 0;
            } else if (event instanceof ClusterEvent.Removed(Node node)) {
                now.remove(node.name());
            }
            assertThat(now).hasSizeBetween(200, 201);
            assertThat(cordoned(now)).isBetween(cordoned() - 1, cordoned() + 1);
        }
        assertThat(heartbeats).isBetween(6_000, 7_500);
        for (int i = 0; i < ZONES; i++) {
            assertThat(now.getOrDefault("node-" + i, nodes.get(i)).unschedulable())
                    .isFalse();
        }
    }

    @Test
    void areTheSameForTheSameSeed() {
        NodeEvents events = new NodeEvents(nodes, ZONES, 7);
        NodeEvents again = new NodeEvents(nodes, ZONES, 7);
        for (int i = 0; i < 1_000; i++) {
            assertThat(events.next()).isEqualTo(again.next());
        }
    }

    @Test
    void thereAreSomeOfAClusterOfOneNode() {
        NodeEvents events = new NodeEvents(nodes.subList(0, 1), 1, 1);
        for (int i = 0; i < 1_000; i++) {
            assertThat(events.next()).isNotNull();
        }
    }

    private long cordoned() {
        return nodes.stream().filter(Node::unschedulable).count();
    }

    private static long cordoned(Map<String, Node> nodes) {
        return nodes.values().stream().filter(Node::unschedulable).count();
    }
}
