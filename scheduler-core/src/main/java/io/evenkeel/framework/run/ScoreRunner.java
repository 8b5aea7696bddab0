package io.evenkeel.framework.run;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.Status.Code;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeRanking;
import io.evenkeel.cluster.node.NodeRanking.KeptScores;
import io.evenkeel.cluster.node.NodeRanking.ScoreBounds;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.ScoreClasses;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a profile's PreScore and Score plugins for one pod after the other, and finds the best nodes by the sum: without a
 * look at each node, where all plugins give their scores in a form that allows it. What is handed out is valid until the next
 * pod, or until the cluster changes.
 */
public final class ScoreRunner {

    /** A score plugin with its weight and what it gave last. */
    public static final class WeightedScore {
        private final Plugin plugin;
        private final int weight;
        private final NodeScores scores = new NodeScores();
        private boolean skipped;

        WeightedScore(Plugin plugin, int weight) {
            this.plugin = plugin;
            this.weight = weight;
        }

        public Plugin plugin() {
            return plugin;
        }

        public int weight() {
            return weight;
        }

        /** Whether the plugin had nothing to say about this pod. */
        public boolean isSkipped() {
            return skipped;
        }

        public long weightedScoreOf(int node) {
            return (long) weight * scores.of(node);
        }
    }

    /** The raw scores of a set of nodes, each at its node's number. */
    @SuppressWarnings("ArrayRecordComponent") // read, and never compared
    public record RawScores(NodeSet nodes, long[] byNode) implements ScorePlugin.Scores {

        @Override
        public long lowest() {
            long lowest = Long.MAX_VALUE;
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                lowest = Math.min(lowest, byNode[node]);
            }
            return lowest;
        }

        @Override
        public long highest() {
            long highest = Long.MIN_VALUE;
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                highest = Math.max(highest, byNode[node]);
            }
            return highest;
        }

        @Override
        public void replaceAll(LongUnaryOperator normalized) {
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                byNode[node] = normalized.applyAsLong(byNode[node]);
            }
        }
    }

    /** Rankings add up ints. */
    private static final long GREATEST_WEIGHT = Integer.MAX_VALUE / ScorePlugin.MAX_SCORE;

    private final ClusterView cluster;
    private final List<PreScorePlugin> preScores;
    private final List<WeightedScore> scores;
    private final Stopwatch preScoreWatch;
    private final Stopwatch scoreWatch;
    private final int[] positionsInPreScore;
    private final boolean[] skipped;
    private final Rankings.Sum sum = new Rankings.Sum();
    private final Rankings rankings;
    private final BestNodes best = new BestNodes();
    private final boolean sumsAreSmall;
    /** The set that came last, which is as a rule the same for each pod, and the nodes of it. */
    private NodeSet listed = new NodeSet();

    private Collection<NodeInfo> nodes = List.of();
    private long[] totals = {};
    private long[] raw = {};

    ScoreRunner(
            ClusterView cluster,
            List<PreScorePlugin> preScores,
            List<Plugin> plugins,
            int[] weights,
            ProfileObserver observer) {
        this.preScoreWatch = observer.at(MeasuredPoint.PRE_SCORE, preScores);
        this.scoreWatch = observer.at(MeasuredPoint.SCORE, plugins);
        this.cluster = cluster;
        this.preScores = preScores;
        this.scores = IntStream.range(0, plugins.size())
                .mapToObj(i -> new WeightedScore(plugins.get(i), weights[i]))
                .toList();
        this.skipped = new boolean[preScores.size()];
        this.positionsInPreScore = plugins.stream().mapToInt(preScores::indexOf).toArray();
        this.rankings = new Rankings(cluster);
        this.sumsAreSmall = scores.stream()
                        .mapToLong(score -> Math.abs((long) score.weight))
                        .sum()
                <= GREATEST_WEIGHT;
    }

    public void run(CycleState state, PodInfo pod, NodeSet feasible) {
        runPreScores(state, pod, feasible);
        long began = scoreWatch.start();
        long at = began;
        for (int i = 0; i < scores.size(); i++) {
            WeightedScore score = scores.get(i);
            score.skipped = positionsInPreScore[i] >= 0 && skipped[positionsInPreScore[i]];
            if (!score.skipped) {
                runScore(score, state, pod, feasible);
                at = scoreWatch.lap(i, Code.SUCCESS, at);
            }
        }
        scoreWatch.stop(Code.SUCCESS, began);
    }

    /** Scores a node that is taken whatever it scores: where a plugin fails, none is said to have scored it. */
    public void runOnChosen(CycleState state, PodInfo pod, NodeSet chosen) {
        try {
            run(state, pod, chosen);
        } catch (PluginFailure unscored) {
            scores.forEach(score -> score.skipped = true);
        }
    }

    /** Returns the nodes among those scored that have the highest total. */
    public NodeSet best(NodeSet feasible) {
        sum.clear();
        WeightedScore byClass = null;
        boolean ranks = sumsAreSmall;
        for (int i = 0; i < scores.size(); i++) {
            WeightedScore score = scores.get(i);
            if (score.skipped) {
                continue;
            }
            switch (score.scores.form()) {
                case UNIFORM -> {}
                case KEPT -> sum.add(score.scores.keptScores(), score.weight);
                case CLASSES -> {
                    ranks &= byClass == null;
                    byClass = score;
                }
                case FILLED -> ranks = false;
            }
        }
        if (!ranks || sum.isEmpty()) {
            return best(feasible, totals());
        }
        NodeRanking ranking = rankings.of(sum);
        return byClass == null
                ? best.among(feasible, ranking, sum)
                : best.among(feasible, ranking, sum, byClass.scores.addedClasses(), byClass.weight);
    }

    public NodeSet best(NodeSet feasible, long[] totalByNode) {
        return best.among(feasible, totalByNode);
    }

    /** Total scores by node, right only at nodes that were scored. */
    public long[] totals() {
        int end = cluster.nodes().end();
        if (totals.length < end) {
            totals = new long[end + (end >> 2)];
        }
        Arrays.fill(totals, 0, end, 0);
        for (int i = 0; i < scores.size(); i++) {
            WeightedScore score = scores.get(i);
            if (!score.skipped) {
                score.scores.addTo(totals, score.weight, end);
            }
        }
        return totals;
    }

    /** Each score plugin with what it gave in the last run. */
    public List<WeightedScore> scores() {
        return scores;
    }

    private void runPreScores(CycleState state, PodInfo pod, NodeSet feasible) {
        long began = preScoreWatch.start();
        long at = began;
        if (feasible != listed) {
            listed = feasible;
            nodes = cluster.nodeInfos(feasible);
        }
        for (int i = 0; i < preScores.size(); i++) {
            PreScorePlugin plugin = preScores.get(i);
            Status status = ask(plugin, state, pod, nodes);
            at = preScoreWatch.lap(i, status.code(), at);
            skipped[i] = status.isSkip();
            if (!status.isSkip() && !status.isSuccess()) {
                throw new PluginFailure(plugin.name(), "PreScore", status.message());
            }
        }
        preScoreWatch.stop(Code.SUCCESS, began);
    }

    private static Status ask(PreScorePlugin plugin, CycleState state, PodInfo pod, Collection<NodeInfo> feasible) {
        try {
            return plugin.preScore(state, pod, feasible);
        } catch (Throwable thrown) {
            throw PluginFailure.of(plugin, "PreScore", thrown);
        }
    }

    private void runScore(WeightedScore score, CycleState state, PodInfo pod, NodeSet feasible) {
        try {
            if (score.plugin instanceof BatchScorePlugin batch) {
                cluster.work().addSets(1, cluster.nodes().end());
                batch.scoreAll(state, pod, feasible, score.scores);
            } else {
                scoreOneByOne((ScorePlugin) score.plugin, state, pod, feasible, score.scores);
            }
        } catch (Throwable thrown) {
            throw PluginFailure.of(score.plugin, "Score", thrown);
        }
    }

    private void scoreOneByOne(ScorePlugin plugin, CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        int end = cluster.nodes().end();
        cluster.work().add(feasible.size());
        if (raw.length < end) {
            raw = new long[end + (end >> 2)];
        }
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            raw[node] = plugin.score(state, pod, cluster.nodeInfo(node));
        }
        plugin.normalize(state, pod, new RawScores(feasible, raw));
        int[] normalized = scores.fill(end);
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            if (raw[node] < 0 || raw[node] > ScorePlugin.MAX_SCORE) {
                throw new PluginFailure(
                        plugin.name(),
                        "Score",
                        "returns an invalid score " + raw[node] + " for node "
                                + cluster.nodes().name(node) + ", it should be in the range of [0, 100]");
            }
            normalized[node] = (int) raw[node];
        }
    }

    /**
     * The rankings of a profile, one for each combination of kept scores that pods come with: pods of the same requests, images and
     * preferences share one. Those that were not asked for longest go where there are as many as are worth their memory.
     *
     * <p>With a thousand kinds of pods in turn each ranking would have a thousand nodes to look at again for one pod. So kinds that are
     * seldom asked for share a ranking by bounds, one for all that ask for nearly the same. What is nearly the same follows from how
     * many there are: the more, the fewer leading bits their requests have in common, until there are no more than {@link #MOST_SHARED}
     * rankings.
     */
    static final class Rankings {

        /** Kept scores and their weights, looked up as they are gathered and copied once they are new. */
        static final class Sum implements IntUnaryOperator {
            private KeptScores[] scores;
            private int[] weights;
            private int size;

            Sum() {
                this(new KeptScores[8], new int[8], 0);
            }

            private Sum(KeptScores[] scores, int[] weights, int size) {
                this.scores = scores;
                this.weights = weights;
                this.size = size;
            }

            void clear() {
                size = 0;
            }

            void add(KeptScores kept, int weight) {
                if (size == scores.length) {
                    scores = Arrays.copyOf(scores, 2 * size);
                    weights = Arrays.copyOf(weights, 2 * size);
                }
                scores[size] = kept;
                weights[size++] = weight;
            }

            boolean isEmpty() {
                return size == 0;
            }

            private boolean hasDropped() {
                for (int i = 0; i < size; i++) {
                    if (scores[i].isDropped()) {
                        return true;
                    }
                }
                return false;
            }

            private Sum copy() {
                return new Sum(Arrays.copyOf(scores, size), Arrays.copyOf(weights, size), size);
            }

            private List<NodeRanking.Part> parts(Function<KeptScores, ScoreBounds> form) {
                List<NodeRanking.Part> parts = new ArrayList<>(size);
                for (int i = 0; i < size; i++) {
                    parts.add(new NodeRanking.Part(form.apply(scores[i]), weights[i]));
                }
                return parts;
            }

            /** Of a node that is present. */
            @Override
            public int applyAsInt(int node) {
                int sum = 0;
                for (int i = 0; i < size; i++) {
                    sum += scores[i].of(node) * weights[i];
                }
                return sum;
            }

            /** Each column exists once. */
            @Override
            @SuppressWarnings("ReferenceEquality")
            public boolean equals(Object other) {
                if (!(other instanceof Sum that) || that.size != size) {
                    return false;
                }
                for (int i = 0; i < size; i++) {
                    if (scores[i] != that.scores[i] || weights[i] != that.weights[i]) {
                        return false;
                    }
                }
                return true;
            }

            @Override
            public int hashCode() {
                int hash = size;
                for (int i = 0; i < size; i++) {
                    hash = 31 * hash + System.identityHashCode(scores[i]);
                }
                return hash;
            }
        }

        private static final int PARTS = 16;

        /** So many kinds have a ranking each without asking whether it is worth its price. */
        private static final int FEW_KINDS = 16;

        /** So many nodes are looked at again for a kind that was asked for before as many changes at most. */
        private static final int FEW_NODES = 64;

        private static final int MOST_SHARED = 64;
        private static final int MOST_BITS = 6;
        private static final int USUAL_BITS = 4;

        /** After so many questions rankings go that nobody has asked for in between. */
        private static final int ROUND = 1 << 16;

        private final ClusterView cluster;
        /** How many may stay that gave their scores back. */
        private final int few;

        private int addedSinceLook;
        private final LinkedHashMap<Sum, Ranked> bySum = new LinkedHashMap<>(16, 0.75f, true);
        private final Map<List<NodeRanking.Part>, Shared> shared = new HashMap<>();
        private int owned;
        private int bits = USUAL_BITS;
        private int asked;

        /** A sum with the ranking of its own, if it was ever worth its price, and the one that it shares. */
        private static final class Ranked {
            final Sum sum;

            @Nullable
            NodeRanking own;

            @Nullable
            Shared shared;

            long askedAt;
            int askedInARow;

            Ranked(Sum sum) {
                this.sum = sum;
            }
        }

        /** A ranking that many share; nothing once it was dropped. */
        private static final class Shared {
            @Nullable
            NodeRanking ranking;

            boolean isAsked;

            Shared(NodeRanking ranking) {
                this.ranking = ranking;
            }
        }

        Rankings(ClusterView cluster) {
            this.cluster = cluster;
            few = cluster.shapes().idleFacets() / PARTS;
        }

        /** The ranking by this sum, up to date. */
        NodeRanking of(Sum sum) {
            Ranked ranked = bySum.get(sum);
            if (ranked == null) {
                makeRoom();
                forgetDropped();
                ranked = new Ranked(sum.copy());
                bySum.put(ranked.sum, ranked);
            }
            return isOwnWorthIt(ranked) ? own(ranked) : shared(ranked);
        }

        /** As soon as it has been asked for in quick succession as often as bringing it up to date costs. */
        private boolean isOwnWorthIt(Ranked ranked) {
            long now = cluster.derivations().usageChanges();
            ranked.askedInARow = now - ranked.askedAt <= FEW_NODES ? ranked.askedInARow + 1 : 0;
            ranked.askedAt = now;
            long behind = ranked.own == null ? cluster.nodes().count() : ranked.own.behind();
            return behind <= (long) FEW_NODES * (ranked.askedInARow + 1) || bySum.size() <= FEW_KINDS;
        }

        private NodeRanking own(Ranked ranked) {
            NodeRanking own = ranked.own;
            if (own == null) {
                makeRoom();
                owned++;
                own = cluster.derivations().ranking(ranked.sum.parts(scores -> scores));
                ranked.own = own;
            }
            return own.current();
        }

        private NodeRanking shared(Ranked ranked) {
            if (++asked == ROUND) {
                asked = 0;
                beginRound();
            }
            if (ranked.shared == null || ranked.shared.ranking == null) {
                ranked.shared = find(ranked.sum);
            }
            Shared found = ranked.shared;
            if (found == null || found.ranking == null) {
                return own(ranked);
            }
            found.isAsked = true;
            return found.ranking.current();
        }

        /** Nothing where no scores are known between bounds, or there are too many kinds even of those that differ twofold. */
        private @Nullable Shared find(Sum sum) {
            while (bits > 0) {
                List<NodeRanking.Part> parts = sum.parts(scores -> scores.bounds(bits));
                Shared found = shared.get(parts);
                if (found == null && NodeRanking.areExact(parts)) {
                    return null;
                }
                if (found == null && shared.size() < MOST_SHARED) {
                    found = new Shared(cluster.derivations().ranking(parts));
                    shared.put(parts, found);
                }
                if (found != null) {
                    return found;
                }
                dropShared(_ -> true);
                bits--;
            }
            return null;
        }

        /** Bounds may be closer again when few are left. */
        private void beginRound() {
            dropShared(one -> !one.isAsked);
            shared.values().forEach(one -> one.isAsked = false);
            if (shared.size() <= MOST_SHARED / 8 && bits < MOST_BITS) {
                dropShared(_ -> true);
                bits++;
            }
        }

        private void dropShared(Predicate<Shared> which) {
            shared.values().removeIf(one -> {
                boolean goes = which.test(one);
                if (goes && one.ranking != null) {
                    cluster.derivations().drop(one.ranking);
                    one.ranking = null;
                }
                return goes;
            });
        }

        private void drop(Ranked ranked) {
            if (ranked.own != null) {
                cluster.derivations().drop(ranked.own);
                owned--;
            }
        }

        int size() {
            return bySum.size();
        }

        private void makeRoom() {
            while (!bySum.isEmpty()
                    && (owned >= cluster.rankingsWorthKeeping() || bySum.size() >= cluster.setsWorthKeeping())) {
                drop(bySum.pollFirstEntry().getValue());
            }
        }

        /** Now and then rankings go, too, that gave their scores back: not each time, lest ever new pods have all gone through. */
        private void forgetDropped() {
            if (++addedSinceLook > few + bySum.size() / 8) {
                addedSinceLook = 0;
                bySum.entrySet().removeIf(entry -> {
                    boolean goes = entry.getKey().hasDropped();
                    if (goes) {
                        drop(entry.getValue());
                    }
                    return goes;
                });
            }
        }
    }

    /**
     * Finds the nodes with the highest total, where it is a ranking's sum plus what the node's class scores: 64 nodes at a time
     * are passed over whose highest sum is not enough even so, and classes that cannot win are not looked at.
     *
     * <pre>
     *   highest sum       class a: +4   class b: +0
     *   block 0    190    194, best     190 is not enough
     *   block 1    193    none of it    193 is not enough
     * </pre>
     *
     * <p>The best so far are forgotten whenever a better one is found; that happens a few times a pod. Where the next pod's are
     * looked for by the same ranking, they are brought up to date ({@link NodeRanking.Highest}).
     */
    static final class BestNodes {
        private static final long NONE = Long.MIN_VALUE;

        private final NodeSet best = new NodeSet();
        /** Of all feasible nodes, or by the place of a class in the order of their scores. */
        private final List<NodeRanking.Highest> kept = new ArrayList<>();

        private long highest;
        private IntUnaryOperator sums = _ -> 0;

        /**
         * By the ranking alone.
         *
         * @param sums of nodes that are vague there
         */
        NodeSet among(NodeSet feasible, NodeRanking ranking, IntUnaryOperator sums) {
            if (ranking.isExact()) {
                NodeRanking.Highest of = kept(0);
                of.find(feasible, ranking);
                return of.nodes();
            }
            begin();
            this.sums = sums;
            addVague(feasible, ranking, 0);
            return best;
        }

        private NodeRanking.Highest kept(int place) {
            while (kept.size() <= place) {
                kept.add(new NodeRanking.Highest());
            }
            return kept.get(place);
        }

        /** By the ranking and what each class scores, times the weight; valid until the next pod. */
        NodeSet among(NodeSet feasible, NodeRanking ranking, IntUnaryOperator sums, ScoreClasses classes, int weight) {
            begin();
            this.sums = sums;
            for (int i = 0; i < classes.nodeCount(); i++) {
                int node = classes.node(i);
                if (feasible.contains(node)) {
                    int sum = ranking.isVague(node) ? sums.applyAsInt(node) : ranking.of(node);
                    add(node, sum + (long) weight * classes.nodeScore(i));
                }
            }
            long highestSum = ranking.highest();
            long next = highestBelow(Long.MAX_VALUE, classes, weight);
            NodeSet found = best;
            for (int place = 0; next != NONE && highestSum + next >= highest; place++) {
                NodeSet members = classes.havingAmong(feasible, (int) (next / weight));
                if (ranking.isExact()) {
                    found = better(found, members, ranking, next, place);
                } else {
                    addVague(members, ranking, next);
                }
                next = highestBelow(next, classes, weight);
            }
            return found;
        }

        /** The best so far, or the best of these nodes, or both. */
        @SuppressWarnings("ReferenceEquality")
        private NodeSet better(NodeSet sofar, NodeSet members, NodeRanking ranking, long score, int place) {
            NodeRanking.Highest of = kept(place);
            of.find(members, ranking);
            if (!of.isAny() || of.sum() + score < highest) {
                return sofar;
            }
            if (of.sum() + score > highest) {
                highest = of.sum() + score;
                return of.nodes();
            }
            if (sofar != best) {
                best.copyFrom(sofar);
            }
            best.addAll(of.nodes());
            return best;
        }

        /** The highest score of a class, times the weight, below another. */
        private static long highestBelow(long bound, ScoreClasses classes, int weight) {
            long highest = NONE;
            for (int i = 0; i < classes.size(); i++) {
                long score = (long) weight * classes.score(i);
                highest = score < bound ? Math.max(highest, score) : highest;
            }
            return highest;
        }

        /** By totals that are at hand. */
        NodeSet among(NodeSet feasible, long[] totals) {
            begin();
            for (int word = 0; word < feasible.wordCount(); word++) {
                for (long bits = feasible.word(word); bits != 0; bits &= bits - 1) {
                    int node = (word << 6) + Long.numberOfTrailingZeros(bits);
                    if (totals[node] >= highest) {
                        add(node, totals[node]);
                    }
                }
            }
            return best;
        }

        private void begin() {
            best.clear();
            highest = NONE;
        }

        private void add(int node, long total) {
            raise(total);
            if (total == highest) {
                best.add(node);
            }
        }

        private void addVague(NodeSet nodes, NodeRanking ranking, long score) {
            int blocks = Math.min(nodes.wordCount(), ranking.blocks());
            for (int block = 0; block < blocks; block++) {
                if (ranking.highestIn(block) + score >= highest) {
                    long vague = ranking.vagueIn(block);
                    long bits = nodes.word(block);
                    addVague(bits & vague, block, ranking, score);
                    if ((bits & ~vague) != 0) {
                        add(bits & ~vague, block, ranking, score);
                    }
                }
            }
        }

        private void add(long bits, int block, NodeRanking ranking, long score) {
            int layer = ranking.layerOf(block, bits);
            if (layer < 0) {
                addOneByOne(bits, block, ranking, score);
                return;
            }
            raise(ranking.sumOf(layer) + score);
            if (ranking.sumOf(layer) + score == highest) {
                best.addWord(block, bits & ranking.nodesOf(layer));
            }
        }

        private void addOneByOne(long bits, int block, NodeRanking ranking, long score) {
            for (long rest = bits; rest != 0; rest &= rest - 1) {
                int node = (block << 6) + Long.numberOfTrailingZeros(rest);
                add(node, ranking.of(node) + score);
            }
        }

        private void addVague(long bits, int block, NodeRanking ranking, long score) {
            for (long rest = bits; rest != 0; rest &= rest - 1) {
                int node = (block << 6) + Long.numberOfTrailingZeros(rest);
                if (ranking.of(node) + score >= highest) {
                    add(node, sums.applyAsInt(node) + score);
                }
            }
        }

        private void raise(long total) {
            if (total > highest) {
                highest = total;
                best.clear();
            }
        }
    }
}
