package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;

/** Addresses that look real: 256 to a node, for up to 65,536 nodes. */
final class PodNetwork {

    private static final int BYTE = 256;

    private PodNetwork() {}

    static String nodeAddress(int node) {
        return "172.16.%d.%d".formatted(node / BYTE % BYTE, node % BYTE);
    }

    static String cidr(int node) {
        return "10.%d.%d.0/24".formatted(node / BYTE % BYTE, node % BYTE);
    }

    /** The address of the n-th pod of a node. */
    static String podAddress(StoredObject node, int pod) {
        String cidr = Trees.text(node.tree(), "spec", "podCIDR");
        String network = cidr.isEmpty() ? "10.0.0" : cidr.substring(0, cidr.lastIndexOf('.'));
        return network + "." + (pod % (BYTE - 2) + 1);
    }
}
