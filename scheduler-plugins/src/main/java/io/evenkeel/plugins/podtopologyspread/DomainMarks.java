package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;

/** Counts the domains that a set of nodes reaches. */
final class DomainMarks {
    private int[] markOf = {};
    private int mark;

    int countDomains(Topology topology, NodeSet nodes) {
        return topology.hasNodeSets() ? countBySets(topology, nodes) : countByMarks(topology, nodes);
    }

    private static int countBySets(Topology topology, NodeSet nodes) {
        int count = 0;
        for (int domain = 0; domain < topology.end(); domain++) {
            if (topology.nodeCount(domain) > 0 && topology.nodesOf(domain).intersects(nodes)) {
                count++;
            }
        }
        return count;
    }

    /** A domain is marked with this count's own number, so nothing has to be wiped between two counts. */
    private int countByMarks(Topology topology, NodeSet nodes) {
        if (markOf.length < topology.end()) {
            markOf = new int[topology.end() * 2];
        }
        mark++;
        int count = 0;
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            int domain = topology.domainOf(node);
            if (domain != Topology.NO_DOMAIN && markOf[domain] != mark) {
                markOf[domain] = mark;
                count++;
            }
        }
        return count;
    }
}
