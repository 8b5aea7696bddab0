package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.NodeSet;
import io.evenkeel.cluster.Topology;
import io.evenkeel.framework.NodeScores;
import io.evenkeel.framework.ScorePlugin;
import java.util.Arrays;
import java.util.List;

/**
 * Scores nodes by soft constraints: the fewer matching pods in the node's domains, the better.
 *
 * <p>{@code raw(node) = round(Σ over constraints of count · ln(size + 2) + (maxSkew − 1))}, where size is the number of
 * domains among the scored nodes and count the number of matching pods in the node's domain; for host names count is
 * taken on the node itself and size is the number of nodes scored. A constraint whose label the node lacks adds
 * nothing. Then {@code 100 · (max + min − raw) / max} over the scored nodes, 100 for all where max is 0. Feasible nodes
 * that lack one of the labels are not scored and get 0.
 *
 * <p>The sum runs in the order of the constraints in plain doubles, as in the reference, because rounding shows. It is
 * made for all rows, whether scored or not: a loop without branches over 5,000 rows is cheaper than one with.
 */
final class SpreadScorer {
    /** Up to so many different raw scores, a quotient is worked out once for each instead of once a node. */
    private static final int MOST_REMEMBERED = 1 << 12;

    private final NodeSet scored = new NodeSet();
    private final DomainMarks marks = new DomainMarks();
    private final int[] remembered = new int[MOST_REMEMBERED];
    private double[] logarithms = {};
    private double[] valueByDomain = {};
    private int[] countByNode = {};
    private double[] sums = {};
    private long[] raw = {};

    void score(CompiledConstraints compiled, NodeSet feasible, int end, NodeScores scores) {
        if (sums.length < end) {
            sums = new double[end + (end >> 2)];
            raw = new long[sums.length];
            countByNode = new int[sums.length];
        }
        scored.copyFrom(feasible);
        compiled.scoredNodes().ifPresent(eligibility -> scored.retainAll(eligibility.nodes()));
        addUp(compiled.soft(), end);
        int[] result = scores.fill(end);
        if (!scored.containsAll(feasible)) {
            Arrays.fill(result, 0, end, 0);
        }
        roundAndNormalize(result);
    }

    private void addUp(List<SpreadConstraint> constraints, int end) {
        Arrays.fill(sums, 0, end, 0);
        for (int i = 0; i < constraints.size(); i++) {
            SpreadConstraint constraint = constraints.get(i);
            if (constraint.byHostname()) {
                addCountsOnNodes(constraint, end);
            } else {
                addCountsInDomains(constraint, end);
            }
        }
    }

    private void addCountsOnNodes(SpreadConstraint constraint, int end) {
        double weight = logarithm(scored.size() + 2);
        double plus = constraint.maxSkew() - 1;
        int[] domains = constraint.labelled().domains(end);
        constraint.group().tally().counts().writeTo(countByNode, end);
        for (int node = 0; node < end; node++) {
            sums[node] += domains[node] == Topology.NO_DOMAIN ? 0 : countByNode[node] * weight + plus;
        }
    }

    private void addCountsInDomains(SpreadConstraint constraint, int end) {
        double weight = logarithm(marks.countDomains(constraint.topology(), scored) + 2);
        double plus = constraint.maxSkew() - 1;
        int[] counts = constraint.counter().sums();
        int domainEnd = constraint.topology().end();
        if (valueByDomain.length < domainEnd) {
            valueByDomain = new double[domainEnd * 2];
        }
        for (int domain = 0; domain < domainEnd; domain++) {
            valueByDomain[domain] = counts[domain] * weight + plus;
        }
        int[] labelled = constraint.labelled().domains(end);
        int[] domains = constraint.topology().domains(end);
        for (int node = 0; node < end; node++) {
            sums[node] += labelled[node] == Topology.NO_DOMAIN ? 0 : valueByDomain[domains[node]];
        }
    }

    private void roundAndNormalize(int[] result) {
        long max = 0;
        long min = Long.MAX_VALUE;
        for (int node = scored.first(); node >= 0; node = scored.next(node + 1)) {
            long rounded = roundHalfUp(sums[node]);
            raw[node] = rounded;
            max = Math.max(max, rounded);
            min = Math.min(min, rounded);
        }
        if (max == 0) {
            fillScored(result, ScorePlugin.MAX_SCORE);
        } else if (max - min < MOST_REMEMBERED) {
            normalizeRemembering(result, max, min);
        } else {
            for (int node = scored.first(); node >= 0; node = scored.next(node + 1)) {
                result[node] = (int) (ScorePlugin.MAX_SCORE * (max + min - raw[node]) / max);
            }
        }
    }

    private void normalizeRemembering(int[] result, long max, long min) {
        Arrays.fill(remembered, 0, (int) (max - min) + 1, -1);
        for (int node = scored.first(); node >= 0; node = scored.next(node + 1)) {
            int index = (int) (raw[node] - min);
            int score = remembered[index];
            if (score < 0) {
                score = (int) (ScorePlugin.MAX_SCORE * (max + min - raw[node]) / max);
                remembered[index] = score;
            }
            result[node] = score;
        }
    }

    private void fillScored(int[] result, int score) {
        for (int node = scored.first(); node >= 0; node = scored.next(node + 1)) {
            result[node] = score;
        }
    }

    /** Half goes away from zero; the argument is never negative. */
    private static long roundHalfUp(double value) {
        long whole = (long) value;
        return value - whole >= 0.5 ? whole + 1 : whole;
    }

    private double logarithm(int size) {
        if (size >= logarithms.length) {
            int before = logarithms.length;
            logarithms = Arrays.copyOf(logarithms, size * 2);
            for (int i = Math.max(before, 1); i < logarithms.length; i++) {
                logarithms[i] = StrictMath.log(i);
            }
        }
        return logarithms[size];
    }
}
