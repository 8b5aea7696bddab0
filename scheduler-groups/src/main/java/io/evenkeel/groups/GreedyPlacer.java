package io.evenkeel.groups;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.groups.HardSpreads.HardSpread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places one pod after the other without looking ahead: the kinds with the fewest nodes first, each pod where its domains are the
 * emptiest. Most groups need no more.
 */
final class GreedyPlacer {
    /** For more kinds that are spread by other counters than all of these, it costs more to keep a column than it saves. */
    private static final int MOST_FILLS = 16;

    private final Board board;
    private final MembersByKind crew;
    private final List<Deque<PodInfo>> waiting = new ArrayList<>();
    private final List<Integer> order;
    /** By kind, what its pods are spread by. */
    private final List<List<DomainCounter>> counters;

    private final Map<List<DomainCounter>, Fill> fills = new LinkedHashMap<>();

    GreedyPlacer(Board board, MembersByKind crew) {
        this.board = board;
        this.crew = crew;
        crew.kinds().forEach(kind -> waiting.add(new ArrayDeque<>(kind.pods())));
        counters = crew.spreads().stream()
                .map(spreads -> spreads.stream().map(HardSpread::counter).toList())
                .toList();
        order = new ArrayList<>(crew.fewestNodesFirst());
    }

    /** Leaves the pods on the board that it has placed; returns whether these are all. */
    boolean run() {
        while (!order.isEmpty()) {
            if (!step()) {
                return false;
            }
            order.removeIf(kind -> waiting.get(kind).isEmpty());
        }
        return true;
    }

    private boolean step() {
        for (int kind : order) {
            NodeSetView fitting = board.ask(waiting.get(kind).element()).fitting();
            if (!fitting.isEmpty()) {
                int node = emptiest(kind, fitting);
                board.place(waiting.get(kind).remove(), node);
                fills.values().forEach(fill -> fill.placed(node));
                return true;
            }
        }
        return false;
    }

    private int emptiest(int kind, NodeSetView nodes) {
        return fillOf(kind).map(fill -> fill.emptiest(nodes)).orElseGet(() -> emptiestOneByOne(kind, nodes));
    }

    private Optional<Fill> fillOf(int kind) {
        List<DomainCounter> own = counters.get(kind);
        if (!fills.containsKey(own) && fills.size() < MOST_FILLS) {
            fills.put(own, new Fill(own, board.nodes(), board.view().nodes().end()));
        }
        return Optional.ofNullable(fills.get(own));
    }

    private int emptiestOneByOne(int kind, NodeSetView nodes) {
        int best = -1;
        long least = Long.MAX_VALUE;
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            long fill = crew.fillOf(kind, node);
            if (fill < least) {
                least = fill;
                best = node;
            }
        }
        return best;
    }

    /**
     * How full the domains of each node are by some counters, added up: known by node without a look at the counters, and kept
     * up to date by {@link #placed}, which costs one look at the nodes of the domains that the pod came into.
     */
    private static final class Fill {
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
}
