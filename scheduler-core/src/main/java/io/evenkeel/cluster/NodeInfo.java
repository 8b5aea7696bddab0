package io.evenkeel.cluster;

import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;

/** One node and its pods, for plugins that look at nodes one by one. A window on the live state, not a copy. */
public final class NodeInfo {
    private final ClusterView cluster;
    private final int id;

    NodeInfo(ClusterView cluster, int id) {
        this.cluster = cluster;
        this.id = id;
    }

    public int id() {
        return id;
    }

    public String name() {
        return cluster.nodes().name(id);
    }

    public Node node() {
        return cluster.nodes().node(id);
    }

    public int podCount() {
        return cluster.nodes().podCount(id);
    }

    public List<Pod> pods() {
        List<Pod> pods = new ArrayList<>();
        for (int row = cluster.pods().firstOnNode(id);
                row >= 0;
                row = cluster.pods().nextOnNode(row)) {
            pods.add(cluster.pods().pod(row));
        }
        return pods;
    }

    /** CPU in thousandths of a core, all else in whole units; 0 of what schedulers do not count. */
    public long allocatable(String resource) {
        if (resource.equals(ResourceNames.PODS_NAME)) {
            return cluster.nodes().allowedPods(id);
        }
        int known = cluster.resources().find(resource);
        return known == ResourceNames.UNKNOWN ? 0 : cluster.nodes().allocatable(known, id);
    }

    /** Returns the requests of all pods on the node together. */
    public long requested(String resource) {
        if (resource.equals(ResourceNames.PODS_NAME)) {
            return podCount();
        }
        int known = cluster.resources().find(resource);
        return known == ResourceNames.UNKNOWN ? 0 : cluster.nodes().requested(known, id);
    }
}
