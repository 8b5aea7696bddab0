package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import java.util.Arrays;
import java.util.List;

/**
 * Scores any soft constraints, node by node. The sum is made for all rows, whether scored or not: a loop without
 * branches over 5,000 rows is cheaper than one with.
 */
final class NodeScorer {
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
            sums[node] +=
                    domains[node] == Topology.NO_DOMAIN ? 0 : SpreadFormula.term(countByNode[node], weight, maxSkew);
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
}
