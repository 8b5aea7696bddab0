package io.evenkeel.engine.group;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSetView;
import java.util.Arrays;
import java.util.List;

/**
 * How full the domains of each node are by some counters, added up: known by node without a look at the counters, and kept
 * up to date by {@link #placed}, which costs one look at the nodes of the domains that the pod came into.
 */
final class Fill {
    private final List<DomainCounter> counters;
    private final int[] byNode;
    private final int[][] known;

    /** By counter, its nodes in the order of their domains, and where each domain begins. */
    private final int[][] nodes;

    private final int[][] begins;

    Fill(List<DomainCounter> counters, NodeSetView among, int end) {
        this.counters = counters;
        byNode = new int[end];
        known = new int[counters.size()][];
        nodes = new int[counters.size()][];
        begins = new int[counters.size()][];
        for (int i = 0; i < counters.size(); i++) {
            Topology topology = counters.get(i).topology();
            known[i] = new int[topology.end()];
            begins[i] = new int[topology.end() + 1];
            for (int domain = 0; domain < topology.end(); domain++) {
                known[i][domain] = counters.get(i).sumOf(domain);
            }
            sort(i, topology, among);
        }
    }

    private void sort(int counter, Topology topology, NodeSetView among) {
        int[] begin = begins[counter];
        for (int node = among.first(); node >= 0; node = among.next(node + 1)) {
            int domain = topology.domainOf(node);
            if (domain != Topology.NO_DOMAIN) {
                begin[domain + 1]++;
                byNode[node] += known[counter][domain];
            }
        }
        for (int domain = 1; domain < begin.length; domain++) {
            begin[domain] += begin[domain - 1];
        }
        int[] next = Arrays.copyOf(begin, begin.length);
        nodes[counter] = new int[begin[begin.length - 1]];
        for (int node = among.first(); node >= 0; node = among.next(node + 1)) {
            int domain = topology.domainOf(node);
            if (domain != Topology.NO_DOMAIN) {
                nodes[counter][next[domain]++] = node;
            }
        }
    }

    /** Some pod came onto the node. */
    void placed(int node) {
        for (int i = 0; i < known.length; i++) {
            int domain = counters.get(i).topology().domainOf(node);
            int more = domain == Topology.NO_DOMAIN ? 0 : counters.get(i).sumOf(domain) - known[i][domain];
            if (more != 0) {
                known[i][domain] += more;
                for (int at = begins[i][domain]; at < begins[i][domain + 1]; at++) {
                    byNode[nodes[i][at]] += more;
                }
            }
        }
    }

    /** Returns the first of the nodes with the emptiest domains. */
    int emptiest(NodeSetView fitting) {
        int best = -1;
        int least = Integer.MAX_VALUE;
        for (int word = 0; word < fitting.wordCount(); word++) {
            for (long bits = fitting.word(word); bits != 0; bits &= bits - 1) {
                int node = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                if (byNode[node] < least) {
                    least = byNode[node];
                    best = node;
                }
            }
        }
        return best;
    }
}
