package io.evenkeel.plugins.preemption;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.PreemptionCandidate;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.cycle.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Looks for the node where a pod would do least harm, among all where pods that go may help. What filters say by the node
 * alone is kept for the next pod of the shape, so that only nodes that changed are run dry again. Where other filters have
 * a say, as with constraints across nodes:
 *
 * <pre>
 * kept answer        what the others say                               answer
 * nobody may go      -                                                 the kept one
 * any                nothing against it, whoever goes                  the kept one
 * any                no, whoever goes                                  whichever filter is first to object
 * any                no, even if all go who may                        whichever filter is first to object
 * any                something else once some are gone                 a dry run of all filters
 * </pre>
 */
final class Search {
    private static final int NOWHERE = -1;

    private final ClusterView cluster;
    private final KeptAnswers keptAnswers;
    private final NodeDryRun dryRun;
    /** Answers for this pod alone. */
    private final Answers ownAnswers;
    /** The nodes that have one of these. */
    private final NodeSet own = new NodeSet();
    /** The nodes whose own answer came of asking the filters hypothetically. */
    private final NodeSet hypothetical = new NodeSet();

    /** The nodes on which filters tell it without being asked hypothetically. */
    private final NodeSet followed = new NodeSet();
    /** The answers at the other nodes. */
    private Answers kept;

    /** Where pods may go, by whom the nodes are judged, and for whom, in the last search. */
    private NodeSetView searched = NodeSetView.NONE;

    private IntFunction<NodeFilters> filters = _ -> {
        throw new IllegalStateException("nothing was searched");
    };
    private int priority;

    private int best = NOWHERE;

    Search(ClusterView cluster, EvictionIndex index) {
        this.cluster = cluster;
        keptAnswers = new KeptAnswers(cluster, index);
        dryRun = new NodeDryRun(cluster, index);
        ownAnswers = new Answers(cluster.nodes());
        kept = ownAnswers;
    }

    /** Where it is best for others to go, and who; empty where there is no such node: {@link #verdictOn} tells why then. */
    Optional<PreemptionCandidate> among(NodeSetView nodes, PodInfo pod, Diagnosis diagnosis, Trial trial) {
        own.clear();
        hypothetical.clear();
        best = NOWHERE;
        searched = nodes;
        priority = Victims.priority(pod.pod());
        Optional<List<FilterDryRun>> dryRuns = diagnosis.preFilter().isPresent() ? Optional.empty() : trial.dryRuns();
        dryRuns.ifPresentOrElse(followed -> followFilters(pod, trial, followed), () -> askFilters(trial));
        return best == NOWHERE ? Optional.empty() : Optional.of(candidate(best));
    }

    private void askFilters(Trial trial) {
        HypotheticalFilters asked = new HypotheticalFilters(cluster, trial);
        filters = _ -> asked;
        for (int node = searched.first(); node >= 0; node = searched.next(node + 1)) {
            ask(node, asked);
            consider(node);
        }
    }

    private void ask(int node, HypotheticalFilters asked) {
        ownAnswers.put(node, dryRun.on(node, priority, asked), dryRun);
        own.add(node);
        hypothetical.add(node);
    }

    private void followFilters(PodInfo pod, Trial trial, List<FilterDryRun> dryRuns) {
        FollowedFilters local = new FollowedFilters(dryRuns, FilterDryRun::isLocal);
        FollowedFilters beyond = new FollowedFilters(dryRuns, run -> !run.isLocal());
        FollowedFilters all = new FollowedFilters(dryRuns, _ -> true);
        kept = keptAnswers.of(pod, dryRuns);
        NodeSetView awaited = trial.awaited();
        followed.copyFrom(searched);
        followed.removeAll(awaited);
        for (int node = kept.nextUnknown(followed, 0); node >= 0; node = kept.nextUnknown(followed, node + 1)) {
            kept.put(node, dryRun.on(node, priority, local), dryRun);
        }
        if (beyond.isEmpty()) {
            best = kept.best(followed);
        } else {
            hearOthers(beyond, all);
        }
        HypotheticalFilters asked = new HypotheticalFilters(cluster, trial);
        FollowedFilters crowded = FollowedFilters.crowded(dryRuns, trial::nominatedTo);
        for (int node = awaited.first(); node >= 0; node = awaited.next(node + 1)) {
            if (searched.contains(node)) {
                if (crowded.canTell(node)) {
                    ownAnswers.put(node, dryRun.on(node, priority, crowded), dryRun);
                    own.add(node);
                } else {
                    ask(node, asked);
                }
                consider(node);
            }
        }
        filters = node -> {
            if (hypothetical.contains(node)) {
                return asked;
            }
            return awaited.contains(node) ? crowded : own.contains(node) ? all : local;
        };
    }

    private void hearOthers(FollowedFilters beyond, FollowedFilters all) {
        for (int node = followed.first(); node >= 0; node = followed.next(node + 1)) {
            if (kept.position(node) != NodeDryRun.BEFORE_ALL_FILTERS) {
                beyond.begin(node);
                if (beyond.isSettled()) {
                    hear(node, beyond.verdict(), beyond.position());
                } else {
                    Status atBest = dryRun.whereAllAreGone(node, priority, beyond);
                    hear(node, atBest, dryRun.position());
                    if (atBest.isSuccess() && kept.position(node) == NodeDryRun.AFTER_ALL_FILTERS) {
                        ownAnswers.put(node, dryRun.on(node, priority, all), dryRun);
                        own.add(node);
                    }
                }
            }
            consider(node);
        }
    }

    /** What they say, unless a local filter is first to object. */
    private void hear(int node, Status verdict, int position) {
        if (!verdict.isSuccess() && (kept.verdict(node).isSuccess() || position < kept.position(node))) {
            ownAnswers.reject(node, verdict, position);
            own.add(node);
        }
    }

    private void consider(int node) {
        Answers answers = answersOn(node);
        if (answers.verdict(node).isSuccess() && (best == NOWHERE || isBetter(node, best))) {
            best = node;
        }
    }

    private boolean isBetter(int node, int other) {
        return answersOn(node).isBetter(node, answersOn(other), other);
    }

    private Answers answersOn(int node) {
        return own.contains(node) ? ownAnswers : kept;
    }

    /** Why the pod would not fit on one of the nodes of the last search, whoever went. */
    Status verdictOn(int node) {
        return answersOn(node).verdict(node);
    }

    /** Of the nodes of the last search those where others may go, the best first, and no more than so many. */
    List<PreemptionCandidate> best(int most) {
        List<Integer> fitting = new ArrayList<>();
        for (int node = searched.first(); node >= 0; node = searched.next(node + 1)) {
            if (verdictOn(node).isSuccess()) {
                fitting.add(node);
            }
        }
        fitting.sort((one, other) -> one.equals(other) ? 0 : isBetter(one, other) ? -1 : 1);
        return fitting.stream().limit(most).map(this::candidate).toList();
    }

    /** What the last search found on the node. */
    Optional<PreemptionCandidate> on(int node) {
        return searched.contains(node) && verdictOn(node).isSuccess() ? Optional.of(candidate(node)) : Optional.empty();
    }

    /** Runs the node dry once more, for the names of those who go. */
    private PreemptionCandidate candidate(int node) {
        String name = cluster.nodes().name(node);
        if (!dryRun.on(node, priority, filters.apply(node)).isSuccess()) {
            throw new IllegalStateException("victims on node " + name + " were found that are not to be found again");
        }
        return new PreemptionCandidate(name, dryRun.victims(), dryRun.violations());
    }
}
