package io.evenkeel.cluster;

import io.evenkeel.cluster.counting.CountingRoom;
import io.evenkeel.cluster.node.NodeRoom;
import io.evenkeel.cluster.shape.ShapeRoom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How large the tables of a cluster are.
 *
 * @param used entries in use, which follow what there is
 * @param reserved the highest ids ever given, which follow the most that there ever was at a time
 */
record TableSizes(Map<String, Integer> used, Map<String, Integer> reserved) {

    static TableSizes of(ClusterState state) {
        ClusterView cluster = state.view();
        Map<String, Integer> used = new TreeMap<>();
        Map<String, Integer> reserved = new TreeMap<>();
        NodeRoom.addSizes(cluster.nodes(), cluster.hostPorts(), cluster.images(), cluster.derivations(), used);
        CountingRoom.addSizes(cluster, used, reserved);
        ShapeRoom.addSizes(cluster.shapes(), used, reserved);
        used.put("pod rows", cluster.pods().count());
        reserved.put("node rows", cluster.nodes().end());
        reserved.put("pod rows", cluster.pods().end());
        used.put("resources", cluster.resources().count() - 3);
        reserved.put("resources", cluster.resources().end());
        return new TableSizes(used, reserved);
    }

    List<String> inUse() {
        return used.entrySet().stream()
                .filter(entry -> entry.getValue() != 0)
                .map(Object::toString)
                .toList();
    }
}
