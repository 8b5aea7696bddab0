package io.evenkeel.cluster;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;

/** A row of the tables of nodes and pods, for plugins that look at nodes one by one; made once a row. */
public final class LiveNode implements NodeInfo {
    private final ClusterView cluster;
    private final int id;

    LiveNode(ClusterView cluster, int id) {
        this.cluster = cluster;
        this.id = id;
    }

    /** Returns the number of the node's row: all nodes that plugins are handed are of these. */
    public static int idOf(NodeInfo node) {
        return ((LiveNode) node).id;
    }

    @Override
    public String name() {
        return cluster.nodes().name(id);
    }

    @Override
    public Node node() {
        return cluster.nodes().node(id);
    }

    @Override
    public int podCount() {
        return cluster.nodes().podCount(id);
    }

    @Override
    public List<Pod> pods() {
        List<Pod> pods = new ArrayList<>();
        for (int row = cluster.pods().firstOnNode(id);
                row >= 0;
                row = cluster.pods().nextOnNode(row)) {
            pods.add(cluster.pods().pod(row));
        }
        return pods;
    }

    @Override
    public long allocatable(String resource) {
        if (resource.equals(ResourceNames.PODS_NAME)) {
            return cluster.nodes().allowedPods(id);
        }
        int known = cluster.resources().find(resource);
        return known == ResourceNames.UNKNOWN ? 0 : cluster.nodes().allocatable(known, id);
    }

    @Override
    public long requested(String resource) {
        if (resource.equals(ResourceNames.PODS_NAME)) {
            return podCount();
        }
        int known = cluster.resources().find(resource);
        return known == ResourceNames.UNKNOWN ? 0 : cluster.nodes().requested(known, id);
    }

    @Override
    public boolean hasTaken(HostPort port) {
        return cluster.hostPorts().conflicting(port).stream()
                .anyMatch(claim -> claim.pods().get(id) > 0);
    }
}
