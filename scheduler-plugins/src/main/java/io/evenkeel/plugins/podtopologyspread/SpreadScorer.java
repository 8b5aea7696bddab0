package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.api.ScorePlugin;
import io.evenkeel.cluster.counting.PodTally;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.CountLevels;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.ScoreClasses;
import io.evenkeel.plugins.podtopologyspread.ConstraintCompiler.CompiledConstraints;
import io.evenkeel.plugins.podtopologyspread.ConstraintCompiler.SoftConstraint;
import io.evenkeel.plugins.podtopologyspread.SpreadScorer.NodeScorer;
import io.evenkeel.plugins.podtopologyspread.SpreadScorer.SpreadFormula.ScoreTable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scores nodes by soft constraints: the fewer matching pods in the node's domains, the better. Feasible nodes that lack
 * one of the labels are not scored and get 0.
 *
 * <p>Most pods have one constraint by zone, one by host name, or both: then {@link ClassScorer} scores all nodes at once that
 * are in the same zone and hold as many peers. {@link NodeScorer} scores any constraints, node by node.
 */
final class SpreadScorer {
    private final NodeSet labelledNodes = new NodeSet();
    private final NodeScorer nodeScorer = new NodeScorer();
    private final ClassScorer classScorer = new ClassScorer();

    void score(CompiledConstraints compiled, NodeSet feasible, NodeTable nodes, NodeScores scores) {
        NodeSet scored = compiled.allLabelsNeeded() ? labelled(compiled.soft(), feasible, nodes) : feasible;
        if (scored.isEmpty()) {
            scores.classes().add(feasible, feasible, NodeSetView.NONE, 0);
            return;
        }
        if (!classScorer.score(compiled.soft(), scored, feasible, nodes, scores)) {
            int[] result = scores.fill(nodes.end());
            nodeScorer.score(compiled.soft(), scored, result, nodes.end());
            zeroUnscored(scored, feasible, result);
        }
    }

    /** Those that have the labels, which are the feasible themselves where each node has them. */
    @SuppressWarnings("ReferenceEquality")
    private NodeSet labelled(List<SoftConstraint> constraints, NodeSet feasible, NodeTable nodes) {
        NodeSet left = feasible;
        for (int i = 0; i < constraints.size(); i++) {
            Topology labelled = constraints.get(i).labelled();
            if (!isOnAll(labelled, nodes)) {
                if (left != labelledNodes) {
                    labelledNodes.copyFrom(feasible);
                    left = labelledNodes;
                }
                labelledNodes.retainAll(labelled.nodes());
            }
        }
        return left;
    }

    private static boolean isOnAll(Topology labelled, NodeTable nodes) {
        return labelled.nodeCount() == nodes.count();
    }

    private static void zeroUnscored(NodeSet scored, NodeSet feasible, int[] result) {
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
        private final ScoreTable table = new ScoreTable();
        private final DomainMarks marks = new DomainMarks();
        private final Topology.Column column = new Topology.Column();
        private double[] termByDomain = {};
        private int[] countByNode = {};
        private double[] sums = {};
        private long[] raw = {};

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
            double weight = SpreadFormula.weight(size);
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
            double weight = SpreadFormula.weight(marks.countDomains(constraint.topology(), scored));
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

    /**
     * Scores at most one constraint by a topology of few domains and at most one by host name, class by class: all nodes of
     * a domain that hold as many matching pods score alike. While few nodes hold any, these are scored one by one. A sum of two
     * terms is the same in either order, so the result is that of {@link NodeScorer}.
     *
     * <pre>
     *   zones a and b of three nodes each, maxSkew 1 by both; 4 peers on a1, 1 on b1
     *
     *   class            by zone       by host       sum    rounded  score
     *   a, 4 peers       4 · ln 4      4 · ln 8      13.86  14         7
     *   a, none          4 · ln 4                     5.55   6        64
     *   b, 1 peer        1 · ln 4      1 · ln 8       3.47   3        85
     *   b, none          1 · ln 4                     1.39   1       100
     * </pre>
     *
     * <p>Costs n / 64 words and the formula once for each class.
     */
    private static final class ClassScorer {
        private final ScoreTable table = new ScoreTable();
        private SoftConstraint.@Nullable OnHost byHost;
        private SoftConstraint.@Nullable InDomain byDomain;

        /** By domain; where there is no constraint by domain all nodes are in domain 0. */
        private double[] termOf = new double[8];

        private final NodeSet otherNodes = new NodeSet();
        private NodeSetView unscored = NodeSetView.NONE;
        private final NodeSet unscoredOrOccupied = new NodeSet();
        /** The nodes that are not of a class of empty ones. */
        private NodeSetView notEmpty = NodeSetView.NONE;

        /** The classes that have a node that is scored. */
        private int[] domainOf = new int[16];

        private int[] levelOf = new int[16];
        private long[] rawOf = new long[16];
        private int classCount;

        private int[] occupied = {};
        private int[] countOn = {};
        private long[] rawOfOccupied = {};
        private int occupiedCount;
        private double hostWeight;
        private long min;
        private long max;

        /**
         * Scores the nodes that are to be scored, and gives the other feasible nodes 0.
         *
         * @return whether the constraints are such that classes tell all
         */
        @SuppressWarnings("ReferenceEquality") // scored are the feasible themselves, as a rule
        boolean score(
                List<SoftConstraint> constraints,
                NodeSet scored,
                NodeSet feasible,
                NodeTable nodes,
                NodeScores scores) {
            if (!takeApart(constraints, scored, nodes)) {
                return false;
            }
            unscored = scored == feasible ? NodeSetView.NONE : without(feasible, scored);
            hostWeight = SpreadFormula.weight(scored.size());
            min = Long.MAX_VALUE;
            max = 0;
            int domains = weighDomains(scored);
            collectOccupied(scored);
            findClasses(domains, scored);
            table.reset(min, max);
            say(scored, scores.classes());
            return true;
        }

        private NodeSetView without(NodeSet feasible, NodeSet scored) {
            otherNodes.copyFrom(feasible);
            otherNodes.removeAll(scored);
            return otherNodes;
        }

        private boolean takeApart(List<SoftConstraint> constraints, NodeSet scored, NodeTable nodes) {
            byHost = null;
            byDomain = null;
            for (int i = 0; i < constraints.size(); i++) {
                switch (constraints.get(i)) {
                    case SoftConstraint.OnHost onHost -> {
                        if (byHost != null || !isOnEveryNode(onHost, scored, nodes) || goesBeyondLevels(onHost)) {
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
        private static boolean isOnEveryNode(SoftConstraint.OnHost constraint, NodeSet scored, NodeTable nodes) {
            return isOnAll(constraint.labelled(), nodes)
                    || constraint.labelled().nodes().containsAll(scored);
        }

        private static boolean goesBeyondLevels(SoftConstraint.OnHost constraint) {
            PodTally tally = constraint.tally();
            return tally.hasLevels() && tally.levels().goBeyond();
        }

        /** The domain of an absent label adds nothing, that of an empty one does; they must not be mixed. */
        private static boolean hasFewClearDomains(SoftConstraint.InDomain constraint) {
            return constraint.topology().hasNodeSets()
                    && (!mayBeAbsent(constraint) || !constraint.labelled().has(""));
        }

        private static boolean mayBeAbsent(SoftConstraint.InDomain constraint) {
            return constraint.labelled().nodeCount() < constraint.topology().nodeCount();
        }

        /** Works out how much each domain adds; returns how many there may be. */
        private int weighDomains(NodeSet scored) {
            SoftConstraint.InDomain constraint = byDomain;
            if (constraint == null) {
                termOf[0] = 0;
                return 1;
            }
            Topology topology = constraint.topology();
            int domains = topology.end();
            if (termOf.length < domains) {
                termOf = new double[domains * 2];
            }
            int size = 0;
            for (int domain = 0; domain < domains; domain++) {
                size += topology.nodesOf(domain).intersects(scored) ? 1 : 0;
            }
            double weight = SpreadFormula.weight(size);
            boolean absentIsADomain = mayBeAbsent(constraint);
            for (int domain = 0; domain < domains; domain++) {
                termOf[domain] = absentIsADomain && topology.value(domain).isEmpty()
                        ? 0
                        : SpreadFormula.term(constraint.counter().sumOf(domain), weight, constraint.maxSkew());
            }
            return domains;
        }

        /** Finds the nodes that are not of a class of empty ones; where they are few, each is scored by itself. */
        private void collectOccupied(NodeSet scored) {
            occupiedCount = 0;
            notEmpty = unscored;
            if (byHost == null) {
                return;
            }
            PodTally tally = byHost.tally();
            if (tally.hasLevels() && unscored.isEmpty()) {
                notEmpty = tally.levels().occupied();
                return;
            }
            unscoredOrOccupied.copyFrom(unscored);
            notEmpty = unscoredOrOccupied;
            if (tally.hasLevels()) {
                unscoredOrOccupied.addAll(tally.levels().occupied());
                return;
            }
            int most = tally.counts().size();
            if (occupied.length < most) {
                occupied = new int[most * 2];
                countOn = new int[occupied.length];
                rawOfOccupied = new long[occupied.length];
            }
            int all = tally.counts().writeTo(occupied, countOn);
            for (int i = 0; i < all; i++) {
                int node = occupied[i];
                if (scored.contains(node)) {
                    unscoredOrOccupied.add(node);
                    long raw = raw(byDomain == null ? 0 : byDomain.topology().domainOf(node), countOn[i]);
                    occupied[occupiedCount] = node;
                    rawOfOccupied[occupiedCount++] = raw;
                    extend(raw);
                }
            }
        }

        private void findClasses(int domains, NodeSet scored) {
            classCount = 0;
            for (int domain = 0; domain < domains; domain++) {
                NodeSetView nodes = nodesOf(domain, scored);
                if (nodes.intersects(scored, notEmpty)) {
                    addClass(domain, 0);
                }
                if (byHost != null && byHost.tally().hasLevels()) {
                    CountLevels levels = byHost.tally().levels();
                    for (int level = 1; level < levels.end(); level++) {
                        if (!levels.isEmpty(level) && nodes.intersectsBoth(levels.at(level), scored)) {
                            addClass(domain, level);
                        }
                    }
                }
            }
        }

        private void addClass(int domain, int level) {
            if (classCount == rawOf.length) {
                domainOf = Arrays.copyOf(domainOf, 2 * classCount);
                levelOf = Arrays.copyOf(levelOf, 2 * classCount);
                rawOf = Arrays.copyOf(rawOf, 2 * classCount);
            }
            domainOf[classCount] = domain;
            levelOf[classCount] = level;
            rawOf[classCount] = raw(domain, level);
            extend(rawOf[classCount++]);
        }

        private void say(NodeSet scored, ScoreClasses classes) {
            for (int i = 0; i < classCount; i++) {
                NodeSetView nodes = nodesOf(domainOf[i], scored);
                int score = table.scoreOf(rawOf[i]);
                if (levelOf[i] == 0 || byHost == null) {
                    classes.add(nodes, nodes, notEmpty, score);
                } else {
                    classes.add(nodes, byHost.tally().levels().at(levelOf[i]), unscored, score);
                }
            }
            for (int i = 0; i < occupiedCount; i++) {
                classes.add(occupied[i], table.scoreOf(rawOfOccupied[i]));
            }
            if (!unscored.isEmpty()) {
                classes.add(unscored, unscored, NodeSetView.NONE, 0);
            }
        }

        private NodeSetView nodesOf(int domain, NodeSet scored) {
            return byDomain == null ? scored : byDomain.topology().nodesOf(domain);
        }

        private long raw(int domain, int count) {
            double hostTerm = byHost == null ? 0 : SpreadFormula.term(count, hostWeight, byHost.maxSkew());
            return SpreadFormula.round(termOf[domain] + hostTerm);
        }

        private void extend(long raw) {
            min = Math.min(min, raw);
            max = Math.max(max, raw);
        }
    }

    /**
     * The arithmetic of soft constraints, in the reference's order of operations, because rounding shows.
     *
     * <p>{@code raw(node) = round(Σ over constraints of count · ln(size + 2) + (maxSkew − 1))}, then
     * {@code 100 · (max + min − raw) / max} in whole numbers, 100 for all where max is 0.
     */
    static final class SpreadFormula {
        private SpreadFormula() {}

        /** The weight of a constraint with this many domains (or nodes, for host names) to spread over. */
        static double weight(int size) {
            return StrictMath.log(size + 2);
        }

        /** Returns how much one constraint adds. */
        static double term(int count, double weight, int maxSkew) {
            return count * weight + (maxSkew - 1);
        }

        /** Half goes away from zero; the argument is never negative. */
        static long round(double sum) {
            long whole = (long) sum;
            return sum - whole >= 0.5 ? whole + 1 : whole;
        }

        static int normalize(long raw, long min, long max) {
            return max == 0 ? ScorePlugin.MAX_SCORE : (int) (ScorePlugin.MAX_SCORE * (max + min - raw) / max);
        }

        /**
         * Normalises raw scores of one pod. Thousands of nodes share a handful of raw scores, and a division costs more than all
         * else that is done for a node, so the quotient of each is worked out once, as long as they lie close together.
         */
        static final class ScoreTable {
            private static final int WIDEST = 1 << 12;

            private final int[] scores = new int[WIDEST];
            private long min;
            private long max;
            private boolean remembers;

            /** To be called with the extremes before scores are asked for. */
            void reset(long lowest, long highest) {
                min = lowest;
                max = highest;
                remembers = highest - lowest < WIDEST;
                if (remembers && lowest <= highest) {
                    Arrays.fill(scores, 0, (int) (highest - lowest) + 1, -1);
                }
            }

            int scoreOf(long raw) {
                if (!remembers) {
                    return SpreadFormula.normalize(raw, min, max);
                }
                int index = (int) (raw - min);
                int score = scores[index];
                if (score < 0) {
                    score = SpreadFormula.normalize(raw, min, max);
                    scores[index] = score;
                }
                return score;
            }
        }
    }
}
