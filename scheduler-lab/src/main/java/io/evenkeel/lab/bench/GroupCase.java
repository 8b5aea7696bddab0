package io.evenkeel.lab.bench;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;

/**
 * Groups of pods that are alike, spread over racks and over rows which cross, both hard with maxSkew 1.
 *
 * @param size pods a group
 * @param nodes of the cluster, one where a rack and a row cross
 * @param pods in all; a rest that makes no whole group is left out
 */
record GroupCase(int size, int nodes, int pods, long seed) {
    static final String PREFIX = "group-";
    static final int USUAL_NODES = 5_000;
    static final int MOST = 5_000;
    private static final int MOST_PODS_ON_A_NODE = 110;

    /** How much room the nodes have. */
    enum Room {
        MANY_A_NODE(MOST_PODS_ON_A_NODE),
        ONE_A_NODE(1);

        private final int pods;

        Room(int pods) {
            this.pods = pods;
        }
    }

    String id() {
        return PREFIX + size;
    }

    String description() {
        return "groups of " + size + " pods placed together, spread over racks and over rows, maxSkew 1, DoNotSchedule";
    }

    /** As many as there are rows for, of the shape that is nearest to a square. */
    int racks() {
        int racks = (int) Math.sqrt(nodes);
        while (nodes % racks != 0) {
            racks--;
        }
        return racks;
    }

    int rows() {
        return nodes / racks();
    }

    /** Returns for how many of the wanted groups the nodes have room. */
    int groups(Room room) {
        return Math.min(Math.ceilDiv(pods, size), Math.max(1, nodes * room.pods / size / 2));
    }

    List<Node> nodes(Room room) {
        List<Node> all = new ArrayList<>(nodes);
        int rows = rows();
        for (int index = 0; index < nodes; index++) {
            String name = "node-" + index;
            all.add(NodeBuilder.node(name)
                    .hostname(name)
                    .label("rack", "rack-" + index / rows)
                    .label("row", "row-" + index % rows)
                    .allocatable("cpu", "64", "memory", "256Gi", "pods", Integer.toString(room.pods))
                    .build());
        }
        return all;
    }

    /** The pods of a group, built separately at each call. */
    List<Pod> group(int number) {
        String app = id() + "-" + number;
        List<Pod> all = new ArrayList<>(size);
        for (int index = 0; index < size; index++) {
            all.add(PodBuilder.pod(app + "-" + index)
                    .label("app", app)
                    .container("cpu", "100m", "memory", "128Mi")
                    .spread(spread("rack", app))
                    .spread(spread("row", app))
                    .build());
        }
        return all;
    }

    private static TopologySpreadConstraint spread(String key, String app) {
        return TopologySpreadConstraint.of(
                1, key, WhenUnsatisfiable.DO_NOT_SCHEDULE, LabelSelector.matchingLabels(Labels.of("app", app)));
    }
}
