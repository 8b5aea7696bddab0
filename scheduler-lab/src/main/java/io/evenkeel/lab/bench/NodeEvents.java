package io.evenkeel.lab.bench;

import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * The events of nodes in a large cluster, one after the other. Of a hundred:
 *
 * <pre>
 *   60  a status that says what it said: a heartbeat
 *   15  a label has another value
 *   15  a little more or less is allocatable
 *    8  a node is cordoned, or the one that has been so longest is uncordoned
 *    2  a node comes, or the one that came goes
 * </pre>
 */
final class NodeEvents {
    private static final int HEARTBEATS = 60;
    private static final int LABELS = HEARTBEATS + 15;
    private static final int ALLOCATABLE = LABELS + 15;
    private static final int CORDONS = ALLOCATABLE + 8;
    private static final int ALL = 100;

    private static final String LOAD = "example.com/load";
    private static final List<String> LOADS = List.of("low", "usual", "high");

    private final List<Node> nodes;
    private final int zones;
    private final SplittableRandom random;
    private final Queue<Integer> cordoned = new ArrayDeque<>();
    private boolean isCordoning;
    private Optional<Node> added = Optional.empty();
    private int additions;
    private long versions;

    /** @param nodes as they are; those in front, as many as there are zones, stay open */
    NodeEvents(List<Node> nodes, int zones, long seed) {
        this.nodes = new ArrayList<>(nodes);
        this.zones = zones;
        this.random = new SplittableRandom(seed);
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).unschedulable()) {
                cordoned.add(i);
            }
        }
    }

    ClusterEvent next() {
        int kind = random.nextInt(ALL);
        int index = random.nextInt(nodes.size());
        if (kind >= CORDONS || (kind >= ALLOCATABLE && nodes.size() == zones)) {
            return comesOrGoes();
        }
        if (kind >= ALLOCATABLE) {
            return cordons();
        }
        NodeBuilder node = NodeBuilder.from(nodes.get(index));
        if (kind >= LABELS) {
            node.allocatable(
                    "cpu",
                    Integer.toString(CrowdCluster.CPUS - random.nextInt(2)),
                    "memory",
                    250 + random.nextInt(7) + "Gi");
        } else if (kind >= HEARTBEATS) {
            node.label(LOAD, LOADS.get(random.nextInt(LOADS.size())));
        }
        return changed(index, node);
    }

    /** In turn, so that as many stay cordoned as were so, give or take one. */
    private ClusterEvent cordons() {
        int mayBe = nodes.size() - zones;
        isCordoning = !isCordoning;
        if (cordoned.isEmpty() || (isCordoning && cordoned.size() < mayBe)) {
            int open = random.nextInt(mayBe);
            while (nodes.get(zones + open).unschedulable()) {
                open = (open + 1) % mayBe;
            }
            cordoned.add(zones + open);
            return changed(
                    zones + open, NodeBuilder.from(nodes.get(zones + open)).unschedulable(true));
        }
        int longest = cordoned.remove();
        return changed(longest, NodeBuilder.from(nodes.get(longest)).unschedulable(false));
    }

    private ClusterEvent comesOrGoes() {
        if (added.isPresent()) {
            Node gone = added.get();
            added = Optional.empty();
            return new ClusterEvent.Removed(gone);
        }
        String name = "node-added-" + additions++;
        Node node = NodeBuilder.from(nodes.get(random.nextInt(zones)))
                .name(name)
                .hostname(name)
                .version(Long.toString(versions++), 1)
                .build();
        added = Optional.of(node);
        return new ClusterEvent.Put(node);
    }

    private ClusterEvent changed(int index, NodeBuilder node) {
        Node changed = node.version(Long.toString(versions++), 1).build();
        nodes.set(index, changed);
        return new ClusterEvent.Put(changed);
    }
}
