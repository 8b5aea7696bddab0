package io.evenkeel.engine.decision;

import io.evenkeel.api.CycleState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.run.FilterRunner;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.framework.run.ScoreRunner;
import io.evenkeel.framework.why.ExplainingPlugin;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Surveys a profile's view of a pod, for people who want to know: as the cluster is at the moment, what-ifs included. Draws no
 * lots, measures nothing and changes nothing, so that no later decision is another for having been asked.
 */
public final class Survey {
    private final ClusterView cluster;
    private final SchedulingProfile profile;
    private final FilterRunner filters;
    private final SchedulingCycle.Scoring scoring;
    private final Nominations nominations;
    private final NodeChoice choice = new FirstByName();

    Survey(ClusterView cluster, SchedulingProfile profile, SchedulingCycle.Scoring scoring, Nominations nominations) {
        this.cluster = cluster;
        this.profile = profile;
        this.scoring = scoring;
        // of its own: trials of nominated pods use those of the profile meanwhile
        this.filters = profile.filtersBy((_, _) -> 0);
        this.nominations = nominations;
    }

    private static CycleState newCycle() {
        CycleState state = new CycleState();
        state.put(ExplainingPlugin.FOR_PEOPLE, true);
        return state;
    }

    public SchedulingProfile profile() {
        return profile;
    }

    /** Why the pod fits nowhere, in the words of a decision; of a pod that fits somewhere, which nodes are left out. */
    public Diagnosis diagnosis(PodInfo pod) {
        feasible(pod, newCycle());
        return filters.diagnosis();
    }

    public boolean fits(PodInfo pod) {
        return !feasible(pod, newCycle()).isEmpty();
    }

    /** The node for the pod, of equally good ones the first by name; empty where it fits nowhere. */
    public Optional<String> node(PodInfo pod) {
        CycleState state = newCycle();
        NodeSet feasible = feasible(pod, state);
        return feasible.isEmpty()
                ? Optional.empty()
                : Optional.of(cluster.nodes().name(chosen(pod, feasible, state)));
    }

    private int chosen(PodInfo pod, NodeSet feasible, CycleState state) {
        if (scoring == SchedulingCycle.Scoring.WHEN_NEEDED) {
            int nominated = SchedulingCycle.nominatedNode(cluster.nodes(), pod.pod());
            if (nominated >= 0 && feasible.contains(nominated)) {
                return nominated;
            }
        }
        if (SchedulingCycle.isOnlyOne(feasible)) {
            return feasible.first();
        }
        profile.scores().run(state, pod, feasible);
        return choice.choose(profile.scores().best(feasible), cluster.nodes());
    }

    private void score(CycleState state, PodInfo pod, NodeSet feasible) {
        if (SchedulingCycle.isOnlyOne(feasible)) {
            profile.scores().runOnChosen(state, pod, feasible);
        } else {
            profile.scores().run(state, pod, feasible);
        }
    }

    /** The scores of all nodes that the pod fits on, by plugin, weighted; what has nothing to say of the pod is left out. */
    public NavigableMap<String, NavigableMap<String, Long>> scores(PodInfo pod) {
        CycleState state = newCycle();
        NodeSet feasible = feasible(pod, state);
        NavigableMap<String, NavigableMap<String, Long>> scores = new TreeMap<>();
        if (!feasible.isEmpty()) {
            score(state, pod, feasible);
            for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
                NavigableMap<String, Long> ofNode = new TreeMap<>();
                for (ScoreRunner.WeightedScore score : profile.scores().scores()) {
                    if (!score.isSkipped()) {
                        ofNode.put(score.plugin().name(), score.weightedScoreOf(node));
                    }
                }
                scores.put(cluster.nodes().name(node), ofNode);
            }
        }
        return scores;
    }

    /** Assesses one node for the pod; not counted anywhere. */
    public Assessment assess(PodInfo pod, int node) {
        CycleState state = newCycle();
        NodeSet feasible = feasible(pod, state);
        if (!feasible.contains(node)) {
            return new Assessment.Rejected(filters.diagnosis().reasonAgainst(node));
        }
        score(state, pod, feasible);
        long[] totals = profile.scores().totals();
        long best = totals[node];
        for (int other = feasible.first(); other >= 0; other = feasible.next(other + 1)) {
            best = Math.max(best, totals[other]);
        }
        return new Assessment.Fits(totals[node], best);
    }

    private NodeSet feasible(PodInfo pod, CycleState state) {
        NodeSet feasible = filters.run(state, pod);
        nominations.leaveRoom(pod, filters, feasible);
        return feasible;
    }

    /** All that is in the pod's way on each node, nothing where it fits there; to be asked until another question is. */
    public IntFunction<List<Objection>> objections(PodInfo pod) {
        IntFunction<List<Objection>> ofFilters = filters.objections(newCycle(), pod);
        return node -> {
            List<Objection> there = ofFilters.apply(node);
            return there.isEmpty() ? nominations.objection(pod, node).stream().toList() : there;
        };
    }

    /** A judgement of how a node suits a pod that another scheduler has put there. */
    public sealed interface Assessment {

        /** The pod fits there, and scores so much where the best node scores so much. */
        record Fits(long score, long best) implements Assessment {
            public boolean isBest() {
                return score == best;
            }
        }

        record Rejected(String reason) implements Assessment {}
    }
}
