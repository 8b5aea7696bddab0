package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.config.PluginArgs.UtilizationShape;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.plugins.volumes.ClaimReader.PodClaims;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Scores nodes by how much of the storage there the pod's volumes would take, class by class: of the volumes that it gets there,
 * or else of the room near the node where they are to be made. With the shape that prefers the emptiest:
 *
 * <pre>
 *   a claim of 5 GiB        score
 *   n1: gets 5 of  5 GiB        0
 *   n2: gets 5 of 10 GiB       50
 *   n3: 5 of 100 GiB of room   95
 *   n4: room not told           0
 * </pre>
 */
final class RoomScore implements NodesSearch.Findings {
    /** So many classes keep their columns from pod to pod. */
    private static final int KEPT = 16;

    private final NodesSearch search;
    private final Capacities capacities;
    private final UtilizationShape shape;

    private final Map<String, OfClass> found = new HashMap<>();
    private final Map<String, OfClass> made = new HashMap<>();
    private final NodeSet withFound = new NodeSet();
    private long[] room = {};
    private long[] sums = {};
    private int[] classes = {};
    private int end;

    RoomScore(NodesSearch search, Capacities capacities, UtilizationShape shape) {
        this.search = search;
        this.capacities = capacities;
        this.shape = shape;
    }

    /** The room that the pod's volumes of a class take and that there is, at the nodes where that is known. */
    private static final class OfClass {
        private final NodeSet nodes = new NodeSet();
        private long[] requested = {};
        private long[] capacity = {};

        void clear(int end) {
            nodes.clear();
            if (requested.length < end) {
                requested = new long[end + (end >> 2)];
                capacity = new long[requested.length];
            }
            Arrays.fill(requested, 0, end, 0);
            Arrays.fill(capacity, 0, end, 0);
        }
    }

    void score(PodClaims claims, NodeSet feasible, int end, NodeScores scores) {
        this.end = end;
        ensureLength();
        empty(found);
        empty(made);
        withFound.clear();
        search.search(claims, feasible, this);
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            sums[node] = 0;
            classes[node] = 0;
        }
        for (OfClass each : found.values()) {
            add(each);
        }
        for (OfClass each : made.values()) {
            each.nodes.removeAll(withFound);
            add(each);
        }
        int[] result = scores.fill(end);
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            result[node] = classes[node] == 0 ? 0 : (int) Math.round((double) sums[node] / classes[node]);
        }
    }

    @Override
    public void found(PersistentVolumeClaim claim, PersistentVolume volume, NodeSetView nodes) {
        OfClass all = at(found, claim);
        long requested = NodeSearch.sizeOf(claim).value();
        long capacity = volume.capacity().value();
        withFound.addAll(nodes);
        all.nodes.addAll(nodes);
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            all.requested[node] += requested;
            all.capacity[node] += capacity;
        }
    }

    /** The room is that of all the pod's volumes of the class, and is not there once for each. */
    @Override
    public void toBeMade(PersistentVolumeClaim claim, NodeSetView nodes) {
        OfClass all = at(made, claim);
        long requested = NodeSearch.sizeOf(claim).value();
        NodeSet told = capacities.roomAt(claim.terms().storageClass(), requested, nodes, room);
        all.nodes.addAll(told);
        for (int node = told.first(); node >= 0; node = told.next(node + 1)) {
            all.requested[node] += requested;
            all.capacity[node] = room[node];
        }
    }

    private static void empty(Map<String, OfClass> classes) {
        if (classes.size() > KEPT) {
            classes.clear();
        }
        classes.values().forEach(each -> each.nodes.clear());
    }

    private OfClass at(Map<String, OfClass> classes, PersistentVolumeClaim claim) {
        OfClass all = classes.computeIfAbsent(claim.terms().storageClass(), _ -> new OfClass());
        if (all.nodes.isEmpty()) {
            all.clear(end);
        }
        return all;
    }

    private void add(OfClass each) {
        for (int node = each.nodes.first(); node >= 0; node = each.nodes.next(node + 1)) {
            sums[node] += scoreAt(each.requested[node], each.capacity[node]);
            classes[node]++;
        }
    }

    private int scoreAt(long requested, long capacity) {
        return shape.scoreAt(
                capacity == 0 || requested > capacity
                        ? UtilizationShape.FULL
                        : requested * UtilizationShape.FULL / capacity);
    }

    private void ensureLength() {
        if (room.length < end) {
            room = new long[end + (end >> 2)];
            sums = new long[room.length];
            classes = new int[room.length];
        }
    }
}
