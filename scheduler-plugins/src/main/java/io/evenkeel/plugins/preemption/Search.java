package io.evenkeel.plugins.preemption;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.api.VictimAdvice;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.FilterDryRun.FilterDryRuns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Stream;

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
    /** The nodes on which filters tell it without being asked hypothetically. */
    private final NodeSet followed = new NodeSet();
    /** Of these, the nodes where no filter that looks beyond a node objects. */
    private final NodeSet passing = new NodeSet();
    /** The nodes where one objects, and may no longer once some have gone. */
    private final NodeSet swayed = new NodeSet();
    /** The nodes where one objects, whoever goes: why is asked only where that is to be told. */
    private final NodeSet refusing = new NodeSet();
    /** The answers at the other nodes. */
    private Answers kept;

    private int priority;
    private int best = NOWHERE;

    Search(ClusterView cluster, EvictionIndex index) {
        this.cluster = cluster;
        keptAnswers = new KeptAnswers(cluster, index);
        dryRun = new NodeDryRun(cluster, index);
        ownAnswers = new Answers(cluster.nodes());
        kept = ownAnswers;
    }

    /** Looks at all of the nodes. What is found is there to be read until the next search. */
    Findings among(NodeSetView nodes, PodInfo pod, Diagnosis diagnosis, BatchTrial trial) {
        own.clear();
        best = NOWHERE;
        priority = Victims.priority(pod.pod());
        Optional<FilterDryRuns> dryRuns = diagnosis.preFilter().isPresent() ? Optional.empty() : trial.dryRuns();
        NodeSetView awaited = trial.awaited();
        return dryRuns.map(runs -> followFilters(nodes, awaited, pod, trial, runs))
                .orElseGet(() -> askFilters(nodes, awaited, trial));
    }

    private Findings askFilters(NodeSetView nodes, NodeSetView awaited, BatchTrial trial) {
        NodeFilters.HypotheticalFilters asked = new NodeFilters.HypotheticalFilters(cluster, trial);
        Findings findings = new Findings(nodes, awaited, _ -> asked);
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            ask(node, asked, findings);
            consider(node);
        }
        return findings;
    }

    /** Filters that are not followed are asked no more than once: they may be slow, and may not say the same twice. */
    private void ask(int node, NodeFilters.HypotheticalFilters asked, Findings findings) {
        Status verdict = dryRun.on(node, priority, asked);
        ownAnswers.put(node, verdict, dryRun);
        own.add(node);
        if (verdict.isSuccess()) {
            findings.asked.put(node, lastCandidate(node));
        }
    }

    private PreemptionCandidate lastCandidate(int node) {
        return new PreemptionCandidate(cluster.nodes().name(node), dryRun.victims(), dryRun.violations());
    }

    private Findings followFilters(
            NodeSetView nodes, NodeSetView awaited, PodInfo pod, BatchTrial trial, FilterDryRuns dryRuns) {
        FollowedFilters local = new FollowedFilters(dryRuns, FilterDryRun::isLocal);
        FollowedFilters beyond = new FollowedFilters(dryRuns, run -> !run.isLocal());
        FollowedFilters all = new FollowedFilters(dryRuns, _ -> true);
        kept = keptAnswers.of(pod, dryRuns);
        followed.copyFrom(nodes);
        followed.removeAll(awaited);
        for (int node = kept.nextUnknown(followed, 0); node >= 0; node = kept.nextUnknown(followed, node + 1)) {
            kept.put(node, dryRun.on(node, priority, local), dryRun);
            kept.putConcerned(node, dryRun.concerns(beyond));
        }
        refusing.clear();
        if (beyond.isEmpty()) {
            best = kept.best(followed);
        } else {
            hearOthers(beyond, all);
        }
        NodeFilters.HypotheticalFilters asked = new NodeFilters.HypotheticalFilters(cluster, trial);
        FollowedFilters beside = FollowedFilters.crowded(dryRuns, trial::nominatedTo);
        Findings findings = new Findings(
                nodes, awaited, node -> awaited.contains(node) ? beside : own.contains(node) ? all : local);
        for (int node = awaited.first(); node >= 0; node = awaited.next(node + 1)) {
            if (nodes.contains(node)) {
                if (beside.canTell(node)) {
                    ownAnswers.put(node, dryRun.on(node, priority, beside), dryRun);
                    own.add(node);
                } else {
                    ask(node, asked, findings);
                }
                consider(node);
            }
        }
        if (best == NOWHERE || !(trial.victimAdvice() instanceof VictimAdvice.NotNeeded)) {
            hearOthers(refusing, beyond, all);
        }
        return findings;
    }

    /** Asks them about all nodes at once, and about each alone where that does not tell. */
    private void hearOthers(FollowedFilters beyond, FollowedFilters all) {
        passing.copyFrom(followed);
        if (!beyond.keepPassing(passing)) {
            hearOthers(followed, beyond, all);
            return;
        }
        best = kept.best(passing);
        refusing.copyFrom(followed);
        refusing.removeAll(passing);
        swayed.takeCommon(refusing, kept.concerned());
        hearOthers(swayed, beyond, all);
    }

    private void hearOthers(NodeSetView nodes, FollowedFilters beyond, FollowedFilters all) {
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            if (kept.position(node) != NodeDryRun.BEFORE_ALL_FILTERS) {
                beyond.begin(node);
                if (beyond.isSettled()) {
                    hear(node, beyond.verdict(), beyond.position(), beyond.plugin());
                } else {
                    Status atBest = dryRun.whereAllAreGone(node, priority, beyond);
                    hear(node, atBest, dryRun.position(), dryRun.objector());
                    if (atBest.isSuccess() && kept.position(node) == NodeDryRun.AFTER_ALL_FILTERS) {
                        ownAnswers.put(node, dryRun.on(node, priority, all), dryRun);
                        own.add(node);
                    }
                }
            }
            consider(node);
        }
    }

    /** Takes their verdict, unless a local filter is first to object. */
    private void hear(int node, Status verdict, int position, String objector) {
        if (!verdict.isSuccess() && (kept.verdict(node).isSuccess() || position < kept.position(node))) {
            ownAnswers.reject(node, verdict, position, objector);
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

    /** The result of a search; over with the next. */
    final class Findings {
        private final NodeSetView nodes;
        /** The nodes where nominated pods were counted, too. */
        private final NodeSetView awaited;

        private final IntFunction<NodeFilters> filters;
        /** The candidates of nodes with filters that were asked, and not followed. */
        private final Map<Integer, PreemptionCandidate> asked = new HashMap<>();

        private Findings(NodeSetView nodes, NodeSetView awaited, IntFunction<NodeFilters> filters) {
            this.nodes = nodes;
            this.awaited = awaited;
            this.filters = filters;
        }

        /** How many nodes were looked at. */
        int nodeCount() {
            return nodes.size();
        }

        /** Where it is best for others to go, and who; empty where there is no such node. */
        Optional<PreemptionCandidate> best() {
            return best == NOWHERE ? Optional.empty() : Optional.of(candidate(best));
        }

        /** Whether there is a node to ask extenders about. */
        boolean concernsExtenders() {
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                if (concernsExtenders(node)) {
                    return true;
                }
            }
            return false;
        }

        private boolean concernsExtenders(int node) {
            return verdictOn(node).isSuccess() || isForExtenders(node);
        }

        /** By the filters nobody has to go: an extender has turned the pod away, and may name who has to. */
        private boolean isForExtenders(int node) {
            return verdictOn(node).equals(NodeDryRun.NO_VICTIMS)
                    && answersOn(node).position(node) == NodeDryRun.AFTER_ALL_FILTERS;
        }

        /** Where others may go, the best first, then where extenders are to name them, and no more than so many. */
        List<PreemptionCandidate> best(int most) {
            List<Integer> fitting = new ArrayList<>();
            List<Integer> forExtenders = new ArrayList<>();
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                if (verdictOn(node).isSuccess()) {
                    fitting.add(node);
                } else if (isForExtenders(node)) {
                    forExtenders.add(node);
                }
            }
            fitting.sort((one, other) -> one.equals(other) ? 0 : isBetter(one, other) ? -1 : 1);
            forExtenders.sort(Comparator.comparing(cluster.nodes()::name));
            return Stream.concat(fitting.stream(), forExtenders.stream())
                    .limit(most)
                    .map(this::candidate)
                    .toList();
        }

        /** Who goes best from this node, or nobody where extenders are to name them; empty where the pod would not fit there. */
        Optional<PreemptionCandidate> on(int node) {
            return nodes.contains(node) && concernsExtenders(node) ? Optional.of(candidate(node)) : Optional.empty();
        }

        /** Counts, by reason, the nodes where the pod would not fit whichever pods went. */
        @SuppressWarnings("ReferenceEquality") // statuses are shared; others are counted in smaller numbers
        Map<Status, Integer> objections() {
            Map<Status, Integer> objections = new LinkedHashMap<>();
            Status said = Status.SUCCESS;
            int times = 0;
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                Status verdict = verdictOn(node);
                if (verdict != said) {
                    count(said, times, objections);
                    said = verdict;
                    times = 0;
                }
                times++;
            }
            count(said, times, objections);
            return objections;
        }

        /** Nodes that follow each other mostly say the same, and are counted together. */
        private static void count(Status said, int times, Map<Status, Integer> objections) {
            if (times > 0) {
                objections.merge(said, times, Integer::sum);
            }
        }

        /** The plugins that object whichever pods went. */
        Set<String> objecting() {
            Set<String> objecting = new TreeSet<>();
            String last = "";
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                String objector = answersOn(node).objector(node);
                if (!objector.equals(last)) {
                    objecting.add(objector);
                    last = objector;
                }
                if (awaited.contains(node) && !objector.isEmpty()) {
                    objecting.add(BatchTrial.NOMINATED_PODS);
                }
            }
            objecting.remove("");
            return objecting;
        }

        private Status verdictOn(int node) {
            return answersOn(node).verdict(node);
        }

        /** Runs the node dry once more, for the names of those who go. */
        private PreemptionCandidate candidate(int node) {
            if (asked.containsKey(node)) {
                return asked.get(node);
            }
            if (isForExtenders(node)) {
                return new PreemptionCandidate(cluster.nodes().name(node), List.of(), 0);
            }
            if (!dryRun.on(node, priority, filters.apply(node)).isSuccess()) {
                throw new IllegalStateException(
                        "victims on node " + cluster.nodes().name(node) + " were found that are not to be found again");
            }
            return lastCandidate(node);
        }
    }
}
