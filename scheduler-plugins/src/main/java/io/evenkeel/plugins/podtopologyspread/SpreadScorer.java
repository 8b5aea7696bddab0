package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.plugins.podtopologyspread.ConstraintCompiler.CompiledConstraints;
import io.evenkeel.plugins.podtopologyspread.ConstraintCompiler.SoftConstraint;
import io.evenkeel.plugins.podtopologyspread.SpreadFormula.ScoreTable;
import java.util.Arrays;
import java.util.List;

/**
 * Scores nodes by soft constraints: the fewer matching pods in the node's domains, the better. Feasible nodes that lack
 * one of the labels are not scored and get 0.
 *
 * <p>Most pods have one constraint by zone, one by host name, or both: then {@link ClassScorer} scores all nodes at once that
 * are in the same zone and hold as many peers. {@link NodeScorer} scores any constraints, node by node.
 */
final class SpreadScorer {
    private final NodeSet scored = new NodeSet();
    private final NodeScorer nodeScorer;
    private final ClassScorer classScorer;

    SpreadScorer() {
        SpreadFormula formula = new SpreadFormula();
        nodeScorer = new NodeScorer(formula);
        classScorer = new ClassScorer(formula);
    }

    void score(CompiledConstraints compiled, NodeSet feasible, int end, NodeScores scores) {
        scored.copyFrom(feasible);
        if (compiled.allLabelsNeeded()) {
            for (int i = 0; i < compiled.soft().size(); i++) {
                scored.retainAll(compiled.soft().get(i).labelled().nodes());
            }
        }
        if (scored.isEmpty()) {
            scores.classes().add(feasible, feasible, NodeSetView.NONE, 0);
            return;
        }
        if (!classScorer.score(compiled.soft(), scored, feasible, scores)) {
            int[] result = scores.fill(end);
            nodeScorer.score(compiled.soft(), scored, result, end);
            zeroUnscored(feasible, result);
        }
    }

    private void zeroUnscored(NodeSet feasible, int[] result) {
        if (scored.containsAll(feasible)) {
            return;
        }
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            if (!scored.contains(node)) {
                result[node] = 0;
            }
        }
    }

    /**
     * Scores any soft constraints, node by node. The sum is made for all rows, whether scored or not: a loop without
     * branches over 5,000 rows is cheaper than one with.
     */
    static final class NodeScorer {
        private final SpreadFormula formula;
        private final ScoreTable table = new ScoreTable();
        private final DomainMarks marks = new DomainMarks();
        private final Topology.Column column = new Topology.Column();
        private double[] termByDomain = {};
        private int[] countByNode = {};
        private double[] sums = {};
        private long[] raw = {};

        NodeScorer(SpreadFormula formula) {
            this.formula = formula;
        }

        void score(List<SoftConstraint> constraints, NodeSet scored, int[] result, int end) {
            if (sums.length < end) {
                sums = new double[end + (end >> 2)];
                raw = new long[sums.length];
                countByNode = new int[sums.length];
            }
            Arrays.fill(sums, 0, end, 0);
            for (int i = 0; i < constraints.size(); i++) {
                switch (constraints.get(i)) {
                    case SoftConstraint.OnHost onHost -> addCountsOnNodes(onHost, scored.size(), end);
                    case SoftConstraint.InDomain inDomain -> addCountsInDomains(inDomain, scored, end);
                }
            }
            roundAndNormalize(scored, result);
        }

        private void addCountsOnNodes(SoftConstraint.OnHost constraint, int size, int end) {
            double weight = formula.weight(size);
            int maxSkew = constraint.maxSkew();
            int[] domains = column.of(constraint.labelled(), end);
            constraint.tally().counts().writeTo(countByNode, end);
            for (int node = 0; node < end; node++) {
                sums[node] += domains[node] == Topology.NO_DOMAIN
                        ? 0
                        : SpreadFormula.term(countByNode[node], weight, maxSkew);
            }
        }

        private void addCountsInDomains(SoftConstraint.InDomain constraint, NodeSet scored, int end) {
            double weight = formula.weight(marks.countDomains(constraint.topology(), scored));
            int[] counts = constraint.counter().sums();
            int domainEnd = constraint.topology().end();
            if (termByDomain.length < domainEnd) {
                termByDomain = new double[domainEnd * 2];
            }
            for (int domain = 0; domain < domainEnd; domain++) {
                termByDomain[domain] = SpreadFormula.term(counts[domain], weight, constraint.maxSkew());
            }
            NodeSetView labelled = constraint.labelled().nodes();
            int[] domains = column.of(constraint.topology(), end);
            for (int node = 0; node < end; node++) {
                sums[node] += labelled.contains(node) ? termByDomain[domains[node]] : 0;
            }
        }

        private void roundAndNormalize(NodeSet scored, int[] result) {
            long max = 0;
            long min = Long.MAX_VALUE;
            for (int node = scored.first(); node >= 0; node = scored.next(node + 1)) {
                long rounded = SpreadFormula.round(sums[node]);
                raw[node] = rounded;
                max = Math.max(max, rounded);
                min = Math.min(min, rounded);
            }
            table.reset(min, max);
            for (int node = scored.first(); node >= 0; node = scored.next(node + 1)) {
                result[node] = table.scoreOf(raw[node]);
            }
        }

        /** Counts the domains that a set of nodes reaches. */
        private static final class DomainMarks {
            private int[] markOf = {};
            private int mark;

            int countDomains(Topology topology, NodeSet nodes) {
                return topology.hasNodeSets() ? countBySets(topology, nodes) : countByMarks(topology, nodes);
            }

            private static int countBySets(Topology topology, NodeSet nodes) {
                int count = 0;
                for (int domain = 0; domain < topology.end(); domain++) {
                    if (topology.nodeCount(domain) > 0
                            && topology.nodesOf(domain).intersects(nodes)) {
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
    }
}
