package io.evenkeel.plugins.preemption;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.cycle.Trial;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;

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

    private int best = NOWHERE;

    Search(ClusterView cluster, EvictionIndex index) {
        this.cluster = cluster;
        keptAnswers = new KeptAnswers(cluster, index);
        dryRun = new NodeDryRun(cluster, index);
        ownAnswers = new Answers(cluster.nodes());
        kept = ownAnswers;
    }

    /** Where it is best for others to go, and who. */
    record Found(String node, List<Pod> victims) {}

    /** Empty where there is no such node; {@link #verdictOn} tells why then. */
    Optional<Found> among(NodeSetView nodes, PodInfo pod, Diagnosis diagnosis, Trial trial) {
        own.clear();
        hypothetical.clear();
        best = NOWHERE;
        Optional<List<FilterDryRun>> filters = diagnosis.preFilter().isPresent() ? Optional.empty() : trial.dryRuns();
        return filters.isPresent() ? followFilters(nodes, pod, trial, filters.get()) : askFilters(nodes, pod, trial);
    }

    private Optional<Found> askFilters(NodeSetView nodes, PodInfo pod, Trial trial) {
        HypotheticalFilters asked = new HypotheticalFilters(cluster, trial);
        int priority = Victims.priority(pod.pod());
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            ask(node, priority, asked);
            consider(node);
        }
        return best == NOWHERE ? Optional.empty() : found(priority, asked);
    }

    private void ask(int node, int priority, HypotheticalFilters asked) {
        ownAnswers.put(node, dryRun.on(node, priority, asked), dryRun);
        own.add(node);
        hypothetical.add(node);
    }

    private Optional<Found> followFilters(NodeSetView nodes, PodInfo pod, Trial trial, List<FilterDryRun> filters) {
        FollowedFilters local = new FollowedFilters(filters, FilterDryRun::isLocal);
        FollowedFilters beyond = new FollowedFilters(filters, run -> !run.isLocal());
        FollowedFilters all = new FollowedFilters(filters, _ -> true);
        kept = keptAnswers.of(pod, filters);
        int priority = Victims.priority(pod.pod());
        NodeSetView awaited = trial.awaited();
        followed.copyFrom(nodes);
        followed.removeAll(awaited);
        for (int node = kept.nextUnknown(followed, 0); node >= 0; node = kept.nextUnknown(followed, node + 1)) {
            kept.put(node, dryRun.on(node, priority, local), dryRun);
        }
        if (beyond.isEmpty()) {
            best = kept.best(followed);
        } else {
            hearOthers(priority, beyond, all);
        }
        HypotheticalFilters asked = new HypotheticalFilters(cluster, trial);
        FollowedFilters crowded = FollowedFilters.crowded(filters, trial::nominatedTo);
        for (int node = awaited.first(); node >= 0; node = awaited.next(node + 1)) {
            if (nodes.contains(node)) {
                if (crowded.canTell(node)) {
                    ownAnswers.put(node, dryRun.on(node, priority, crowded), dryRun);
                    own.add(node);
                } else {
                    ask(node, priority, asked);
                }
                consider(node);
            }
        }
        if (best == NOWHERE) {
            return Optional.empty();
        }
        if (hypothetical.contains(best)) {
            return found(priority, asked);
        }
        return found(priority, awaited.contains(best) ? crowded : own.contains(best) ? all : local);
    }

    private void hearOthers(int priority, FollowedFilters beyond, FollowedFilters all) {
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
        if (answers.verdict(node).isSuccess() && (best == NOWHERE || answers.isBetter(node, answersOn(best), best))) {
            best = node;
        }
    }

    private Answers answersOn(int node) {
        return own.contains(node) ? ownAnswers : kept;
    }

    /** Why the pod would not fit on one of the nodes of the last search, whoever went. */
    Status verdictOn(int node) {
        return answersOn(node).verdict(node);
    }

    /** Runs the best node dry once more, for the names of those who go. */
    private Optional<Found> found(int priority, NodeFilters filters) {
        if (!dryRun.on(best, priority, filters).isSuccess()) {
            throw new IllegalStateException(
                    "victims on node " + cluster.nodes().name(best) + " were found that are not to be found again");
        }
        return Optional.of(new Found(cluster.nodes().name(best), dryRun.victims()));
    }
}
