package io.evenkeel.framework.run;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.Plugin;
import io.evenkeel.framework.PreScorePlugin;
import io.evenkeel.framework.ScorePlugin;
import io.evenkeel.framework.cycle.CycleState;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.cycle.Status.Code;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs a profile's PreScore and Score plugins for one pod after the other and sums up. Totals and scores are valid
 * until the next pod.
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

        /** Whether the plugin had nothing to say about this pod. */
        public boolean isSkipped() {
            return skipped;
        }

        public long weightedScoreOf(int node) {
            return (long) weight * scores.of(node);
        }
    }

    private final ClusterView cluster;
    private final List<PreScorePlugin> preScores;
    private final List<WeightedScore> scores;
    private final Stopwatch preScoreWatch;
    private final Stopwatch scoreWatch;
    private final Set<Plugin> skipped = new HashSet<>();
    private long[] totals = {};
    private long[] raw = {};

    private ScoreRunner(
            ClusterView cluster, List<PreScorePlugin> preScores, List<WeightedScore> scores, ProfileObserver observer) {
        this.preScoreWatch = observer.at(MeasuredPoint.PRE_SCORE, preScores);
        this.scoreWatch = observer.at(
                MeasuredPoint.SCORE, scores.stream().map(WeightedScore::plugin).toList());
        this.cluster = cluster;
        this.preScores = preScores;
        this.scores = scores;
    }

    /** Total scores by node, right at the feasible ones. */
    public long[] run(CycleState state, PodInfo pod, NodeSet feasible) {
        runPreScores(state, pod, feasible);
        long began = scoreWatch.start();
        long at = began;
        int end = cluster.nodes().end();
        ensureLength(end);
        long forAll = 0;
        Arrays.fill(totals, 0, end, 0);
        for (int i = 0; i < scores.size(); i++) {
            WeightedScore score = scores.get(i);
            score.skipped = !skipped.isEmpty() && skipped.contains(score.plugin);
            if (score.skipped) {
                continue;
            }
            runScore(score, state, pod, feasible);
            at = scoreWatch.lap(i, Code.SUCCESS, at);
            if (score.scores.isUniform()) {
                forAll += (long) score.weight * score.scores.of(0);
            } else {
                score.scores.addTo(totals, score.weight, end);
            }
        }
        if (forAll != 0) {
            for (int node = 0; node < end; node++) {
                totals[node] += forAll;
            }
        }
        scoreWatch.stop(Code.SUCCESS, began);
        return totals;
    }

    /** Each score plugin with what it gave in the last run. */
    public List<WeightedScore> scores() {
        return scores;
    }

    private void runPreScores(CycleState state, PodInfo pod, NodeSet feasible) {
        long began = preScoreWatch.start();
        long at = began;
        skipped.clear();
        for (int i = 0; i < preScores.size(); i++) {
            PreScorePlugin plugin = preScores.get(i);
            Status status = ask(plugin, state, pod, feasible);
            at = preScoreWatch.lap(i, status.code(), at);
            if (status.isSkip()) {
                skipped.add(plugin);
            } else if (!status.isSuccess()) {
                throw new PluginFailure(plugin.name(), "PreScore", status.message());
            }
        }
        preScoreWatch.stop(Code.SUCCESS, began);
    }

    private static Status ask(PreScorePlugin plugin, CycleState state, PodInfo pod, NodeSet feasible) {
        try {
            return plugin.preScore(state, pod, feasible);
        } catch (Throwable thrown) {
            throw PluginFailure.of(plugin, "PreScore", thrown);
        }
    }

    private void runScore(WeightedScore score, CycleState state, PodInfo pod, NodeSet feasible) {
        try {
            if (score.plugin instanceof BatchScorePlugin batch) {
                batch.scoreAll(state, pod, feasible, score.scores);
            } else {
                scoreOneByOne((ScorePlugin) score.plugin, state, pod, feasible, score.scores);
            }
        } catch (Throwable thrown) {
            throw PluginFailure.of(score.plugin, "Score", thrown);
        }
    }

    private void scoreOneByOne(ScorePlugin plugin, CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            raw[node] = plugin.score(state, pod, cluster.nodeInfo(node));
        }
        plugin.normalize(state, pod, feasible, raw);
        int[] normalized = scores.fill(cluster.nodes().end());
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

    private void ensureLength(int end) {
        if (totals.length < end) {
            totals = new long[end + (end >> 2)];
            raw = new long[totals.length];
        }
    }

    static ScoreRunner of(ClusterView cluster, List<PreScorePlugin> preScores, List<Plugin> plugins, int[] weights) {
        return of(cluster, preScores, plugins, weights, ProfileObserver.NONE);
    }

    static ScoreRunner of(
            ClusterView cluster,
            List<PreScorePlugin> preScores,
            List<Plugin> plugins,
            int[] weights,
            ProfileObserver observer) {
        List<WeightedScore> scores = new ArrayList<>();
        for (int i = 0; i < plugins.size(); i++) {
            scores.add(new WeightedScore(plugins.get(i), weights[i]));
        }
        return new ScoreRunner(cluster, preScores, List.copyOf(scores), observer);
    }
}
