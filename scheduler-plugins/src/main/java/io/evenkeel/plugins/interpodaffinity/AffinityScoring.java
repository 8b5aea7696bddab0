package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.api.ScorePlugin;
import io.evenkeel.cluster.counting.CarriedTerm;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.ScoreClasses;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The soft rules for one pod: what a node's domains are worth to it, by its own preferences and by the terms of pods in
 * place that match it. Terms of one topology key are added up by domain first, so a pass over the nodes costs a step
 * for each topology key, not for each term. One instance serves all pods, one after the other.
 */
final class AffinityScoring {
    private final List<DomainWeights> pool = new ArrayList<>();
    private int used;
    private long[] weightByNode = {};
    private final Topology.Column column = new Topology.Column();
    private final MinMaxScale scale = new MinMaxScale();

    /**
     * Takes up another pod.
     *
     * @param hardWeight what an existing pod's required affinity to the pod is worth
     */
    void begin(List<OwnRules.Preference> preferences, List<CarriedTerm> matching, int hardWeight) {
        used = 0;
        for (int i = 0; i < preferences.size(); i++) {
            OwnRules.Preference preference = preferences.get(i);
            if (preference.counter().total() != 0) {
                add(preference.counter(), preference.weight());
            }
        }
        for (int i = 0; i < matching.size(); i++) {
            CarriedTerm term = matching.get(i);
            switch (term.kind()) {
                case REQUIRED_AFFINITY -> add(term.counter(), hardWeight);
                case PREFERRED -> add(term.counter(), 1);
                case REQUIRED_ANTI_AFFINITY -> {}
            }
        }
    }

    /** Whether nothing speaks for or against any node. */
    boolean isIndifferent() {
        return used == 0;
    }

    long weightAt(int node) {
        long weight = 0;
        for (int i = 0; i < used; i++) {
            weight += pool.get(i).weightAt(node);
        }
        return weight;
    }

    void normalize(ScorePlugin.Scores weights) {
        scale.begin();
        scale.include(weights.lowest());
        scale.include(weights.highest());
        weights.replaceAll(scale::scoreOf);
    }

    void scoreAll(NodeSet feasible, int end, NodeScores scores) {
        if (isIndifferent()) {
            scores.uniform(0);
        } else if (used == 1 && pool.getFirst().hasNodeSets()) {
            scoreDomains(pool.getFirst(), feasible, scores);
        } else {
            scoreNodes(feasible, end, scores);
        }
    }

    private void scoreDomains(DomainWeights domains, NodeSet feasible, NodeScores scores) {
        domains.measure(scale, feasible);
        if (scale.isFlat()) {
            scores.uniform(0);
        } else {
            domains.say(scores.classes(), feasible, scale);
        }
    }

    private void scoreNodes(NodeSet feasible, int end, NodeScores scores) {
        if (weightByNode.length < end) {
            weightByNode = new long[end + (end >> 2)];
        }
        pool.getFirst().copyTo(weightByNode, end, column);
        for (int i = 1; i < used; i++) {
            pool.get(i).addTo(weightByNode, end, column);
        }
        scale.measure(weightByNode, feasible);
        if (scale.isFlat()) {
            scores.uniform(0);
        } else {
            scale.apply(weightByNode, end, scores.fill(end));
        }
    }

    private void add(DomainCounter counter, int factor) {
        if (factor == 0) {
            return;
        }
        for (int i = 0; i < used; i++) {
            if (pool.get(i).isOf(counter.topology())) {
                pool.get(i).add(counter, factor);
                return;
            }
        }
        if (used == pool.size()) {
            pool.add(new DomainWeights());
        }
        pool.get(used++).begin(counter, factor);
    }

    /** The worth of the domains of one topology to a pod. Nodes that are in none of them are worth nothing. */
    private static final class DomainWeights {
        private @Nullable DomainCounter first;
        /** By domain + 1: the first place stands for {@link Topology#NO_DOMAIN} and stays zero. */
        private long[] weights = new long[1];

        /** Starts with one counter's sums, each times the factor. */
        void begin(DomainCounter counter, int factor) {
            first = counter;
            int end = counter.topology().end();
            if (weights.length <= end) {
                weights = new long[end + (end >> 2) + 1];
            }
            int[] sums = counter.sums();
            for (int domain = 0; domain < end; domain++) {
                weights[domain + 1] = (long) sums[domain] * factor;
            }
        }

        void add(DomainCounter counter, int factor) {
            int end = counter.topology().end();
            int[] sums = counter.sums();
            for (int domain = 0; domain < end; domain++) {
                weights[domain + 1] += (long) sums[domain] * factor;
            }
        }

        @SuppressWarnings("ReferenceEquality") // a topology exists once
        boolean isOf(Topology topology) {
            return topology() == topology;
        }

        /** Whether there are few domains, each with the set of its nodes. */
        boolean hasNodeSets() {
            return topology().hasNodeSets();
        }

        long weightAt(int node) {
            return weights[1 + topology().domainOf(node)];
        }

        void copyTo(long[] byNode, int end, Topology.Column column) {
            int[] domains = column.of(topology(), end);
            for (int node = 0; node < end; node++) {
                byNode[node] = weights[1 + domains[node]];
            }
        }

        void addTo(long[] byNode, int end, Topology.Column column) {
            int[] domains = column.of(topology(), end);
            for (int node = 0; node < end; node++) {
                byNode[node] += weights[1 + domains[node]];
            }
        }

        /** Measures the weights of the feasible nodes domain by domain; needs node sets. */
        void measure(MinMaxScale scale, NodeSet feasible) {
            scale.begin();
            if (!first().eligibility().nodes().containsAll(feasible)) {
                scale.include(0);
            }
            for (int domain = 0; domain < topology().end(); domain++) {
                if (topology().nodesOf(domain).intersects(feasible)) {
                    scale.include(weights[domain + 1]);
                }
            }
        }

        /** Gives the nodes of each domain its weight on the scale; needs node sets. */
        void say(ScoreClasses classes, NodeSet feasible, MinMaxScale scale) {
            for (int domain = 0; domain < topology().end(); domain++) {
                NodeSetView nodes = topology().nodesOf(domain);
                if (nodes.intersects(feasible)) {
                    classes.add(nodes, nodes, NodeSetView.NONE, scale.scoreOf(weights[domain + 1]));
                }
            }
            if (!topology().nodes().containsAll(feasible)) {
                classes.add(feasible, feasible, topology().nodes(), scale.scoreOf(0));
            }
        }

        private Topology topology() {
            return first().topology();
        }

        private DomainCounter first() {
            if (first == null) {
                throw new IllegalStateException("no counter was added yet");
            }
            return first;
        }
    }

    /**
     * Brings weights into 0 to 100, linearly between the lowest and the highest that a feasible node has: 100 · ((w − min) /
     * (max − min)) in double arithmetic, in this order of operations, cut off to a whole number, as the reference does it.
     *
     * <p>A division for each node would be most of the cost of scoring. As weights are whole numbers and mostly lie close
     * together, a table by w − min has all answers; it is made where it is shorter than the column to be scored.
     */
    private static final class MinMaxScale {
        private static final int LONGEST_TABLE = 1024;

        private final int[] scoreByOffset = new int[LONGEST_TABLE];
        private long min;
        private long max;

        void begin() {
            min = Long.MAX_VALUE;
            max = Long.MIN_VALUE;
        }

        /** Takes a feasible node's weight into account. */
        void include(long weight) {
            min = Math.min(min, weight);
            max = Math.max(max, weight);
        }

        /** Takes the weights of the feasible nodes into account, and no others. */
        void measure(long[] weights, NodeSet feasible) {
            long lowest = Long.MAX_VALUE;
            long highest = Long.MIN_VALUE;
            for (int word = 0; word < feasible.wordCount(); word++) {
                for (long rest = feasible.word(word); rest != 0; rest &= rest - 1) {
                    long weight = weights[(word << 6) + Long.numberOfTrailingZeros(rest)];
                    lowest = Math.min(lowest, weight);
                    highest = Math.max(highest, weight);
                }
            }
            min = lowest;
            max = highest;
        }

        /** Whether all feasible nodes have the same weight, or there are none: each scores 0. */
        boolean isFlat() {
            return max <= min;
        }

        int scoreOf(long weight) {
            return isFlat() ? 0 : (int) (ScorePlugin.MAX_SCORE * ((double) (weight - min) / (double) (max - min)));
        }

        /** Scores the weights below {@code end}; a score that was not measured means nothing. */
        void apply(long[] weights, int end, int[] scores) {
            long range = max - min;
            if (range < Math.min(end, LONGEST_TABLE)) {
                applyTable(weights, end, scores, (int) range);
                return;
            }
            for (int i = 0; i < end; i++) {
                scores[i] = scoreOf(weights[i]);
            }
        }

        private void applyTable(long[] weights, int end, int[] scores, int range) {
            for (int offset = 0; offset <= range; offset++) {
                scoreByOffset[offset] = scoreOf(min + offset);
            }
            for (int i = 0; i < end; i++) {
                scores[i] = scoreByOffset[Math.clamp(weights[i] - min, 0, range)];
            }
        }
    }
}
