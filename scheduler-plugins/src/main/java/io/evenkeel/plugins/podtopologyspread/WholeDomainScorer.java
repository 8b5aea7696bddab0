package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.SparseCounts;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scores at most one constraint by a topology of few domains and at most one by host name, class by class: all nodes of
 * a domain that hold no matching pod score alike, so they are worked out together, and only the nodes that hold one are
 * looked at singly. A sum of two terms is the same in either order, so the result is that of {@link NodeScorer}.
 *
 * <pre>
 *   zones a and b of three nodes each, maxSkew 1 by both; 4 peers on a1, 1 on b1
 *
 *   nodes    by zone       by host       sum    rounded  score
 *   a1       4 · ln 4      4 · ln 8      13.86  14         7
 *   a2 a3    4 · ln 4                     5.55   6        64
 *   b1       1 · ln 4      1 · ln 8       3.47   3        85
 *   b2 b3    1 · ln 4                     1.39   1       100
 * </pre>
 *
 * <p>Costs n / 64 words a domain, one store a node, and the formula once for each domain and each occupied node.
 */
final class WholeDomainScorer {
    private final SpreadFormula formula;
    private final ScoreTable table = new ScoreTable();
    private SoftConstraint.@Nullable OnHost byHost;
    private SoftConstraint.@Nullable InDomain byDomain;

    /** By domain; where there is no constraint by domain all nodes are in domain 0. */
    private int[] scoredNodes = new int[8];

    private int[] emptyNodes = new int[8];
    private double[] termOf = new double[8];

    /** The score of a domain's empty nodes, at the domain plus one; the first is for nodes outside of all domains. */
    private int[] scoreOfEmpty = new int[9];

    private int[] occupied = {};
    private int[] countOn = {};
    private long[] rawOfOccupied = {};
    private int occupiedCount;
    private long min;
    private long max;

    WholeDomainScorer(SpreadFormula formula) {
        this.formula = formula;
    }

    /** Fills the result in at the scored nodes; false where these constraints are not for this way. */
    boolean score(List<SoftConstraint> constraints, NodeSet scored, int[] result, int end) {
        if (!takeApart(constraints, scored)) {
            return false;
        }
        int domains = countByDomain(scored);
        collectOccupied(scored);
        double hostWeight = formula.weight(scored.size());
        min = Long.MAX_VALUE;
        max = 0;
        for (int domain = 0; domain < domains; domain++) {
            if (emptyNodes[domain] > 0) {
                extend(raw(domain, 0, hostWeight));
            }
        }
        for (int i = 0; i < occupiedCount; i++) {
            rawOfOccupied[i] = raw(domainOf(occupied[i]), countOn[i], hostWeight);
            extend(rawOfOccupied[i]);
        }
        table.reset(min, max);
        for (int domain = 0; domain < domains; domain++) {
            scoreOfEmpty[domain + 1] = emptyNodes[domain] > 0 ? table.scoreOf(raw(domain, 0, hostWeight)) : 0;
        }
        fill(result, end);
        return true;
    }

    private boolean takeApart(List<SoftConstraint> constraints, NodeSet scored) {
        byHost = null;
        byDomain = null;
        for (int i = 0; i < constraints.size(); i++) {
            switch (constraints.get(i)) {
                case SoftConstraint.OnHost onHost -> {
                    if (byHost != null || !isOnEveryNode(onHost, scored)) {
                        return false;
                    }
                    byHost = onHost;
                }
                case SoftConstraint.InDomain inDomain -> {
                    if (byDomain != null || !hasFewClearDomains(inDomain)) {
                        return false;
                    }
                    byDomain = inDomain;
                }
            }
        }
        return true;
    }

    /** Nodes without the label would score differently from the others of their class. */
    private static boolean isOnEveryNode(SoftConstraint.OnHost constraint, NodeSet scored) {
        return constraint.labelled().nodes().containsAll(scored);
    }

    /** The domain of an absent label adds nothing, that of an empty one does; they must not be mixed. */
    private static boolean hasFewClearDomains(SoftConstraint.InDomain constraint) {
        return constraint.topology().hasNodeSets()
                && (!mayBeAbsent(constraint) || !constraint.labelled().has(""));
    }

    private static boolean mayBeAbsent(SoftConstraint.InDomain constraint) {
        return constraint.labelled().nodeCount() < constraint.topology().nodeCount();
    }

    private int countByDomain(NodeSet scored) {
        SoftConstraint.InDomain constraint = byDomain;
        if (constraint == null) {
            scoredNodes[0] = scored.size();
            emptyNodes[0] = scoredNodes[0];
            termOf[0] = 0;
            return 1;
        }
        Topology topology = constraint.topology();
        int domains = topology.end();
        if (scoredNodes.length < domains) {
            scoredNodes = new int[domains * 2];
            emptyNodes = new int[scoredNodes.length];
            termOf = new double[scoredNodes.length];
            scoreOfEmpty = new int[scoredNodes.length + 1];
        }
        int size = 0;
        for (int domain = 0; domain < domains; domain++) {
            scoredNodes[domain] = topology.nodesOf(domain).sizeOfIntersection(scored);
            emptyNodes[domain] = scoredNodes[domain];
            size += scoredNodes[domain] > 0 ? 1 : 0;
        }
        double weight = formula.weight(size);
        boolean absentIsADomain = mayBeAbsent(constraint);
        for (int domain = 0; domain < domains; domain++) {
            termOf[domain] = absentIsADomain && topology.value(domain).isEmpty()
                    ? 0
                    : SpreadFormula.term(constraint.counter().sumOf(domain), weight, constraint.maxSkew());
        }
        return domains;
    }

    private void collectOccupied(NodeSet scored) {
        occupiedCount = 0;
        if (byHost == null) {
            return;
        }
        SparseCounts counts = byHost.counts();
        int most = counts.size();
        if (occupied.length < most) {
            occupied = new int[most * 2];
            countOn = new int[occupied.length];
            rawOfOccupied = new long[occupied.length];
        }
        int all = counts.writeTo(occupied, countOn);
        for (int i = 0; i < all; i++) {
            int node = occupied[i];
            if (scored.contains(node)) {
                occupied[occupiedCount] = node;
                countOn[occupiedCount++] = countOn[i];
                emptyNodes[domainOf(node)]--;
            }
        }
    }

    private void fill(int[] result, int end) {
        if (byDomain == null) {
            Arrays.fill(result, 0, end, scoreOfEmpty[1]);
        } else {
            int[] domains = byDomain.topology().domains(end);
            for (int node = 0; node < end; node++) {
                result[node] = scoreOfEmpty[domains[node] + 1];
            }
        }
        for (int i = 0; i < occupiedCount; i++) {
            result[occupied[i]] = table.scoreOf(rawOfOccupied[i]);
        }
    }

    private long raw(int domain, int count, double hostWeight) {
        double hostTerm = byHost == null ? 0 : SpreadFormula.term(count, hostWeight, byHost.maxSkew());
        return SpreadFormula.round(termOf[domain] + hostTerm);
    }

    private void extend(long raw) {
        min = Math.min(min, raw);
        max = Math.max(max, raw);
    }

    private int domainOf(int node) {
        return byDomain == null ? 0 : byDomain.topology().domainOf(node);
    }
}
