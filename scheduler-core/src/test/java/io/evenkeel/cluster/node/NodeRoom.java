package io.evenkeel.cluster.node;

import java.util.Map;

/** What tests of the whole cluster look at in this package. */
public final class NodeRoom {
    private NodeRoom() {}

    public static Map<String, NodeImages.Image> imagesByName(NodeImages images) {
        return images.all();
    }

    /** How many resources are kept as columns. */
    public static int columns(NodeTable nodes) {
        return nodes.columns().columns();
    }

    /** How many amounts are kept with a node, as their resources have no columns. */
    public static int rareAmounts(NodeTable nodes) {
        return nodes.columns().entries();
    }

    public static void addSizes(
            NodeTable nodes, HostPorts ports, NodeImages images, Derivations derivations, Map<String, Integer> used) {
        used.put("node rows", nodes.rowCount());
        used.put("amounts without a column", nodes.columns().entries());
        used.put("host ports", ports.all().size());
        used.put("images", images.all().size());
        used.put("derived", derivations.count());
    }
}
