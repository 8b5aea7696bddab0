package io.evenkeel.plugins.preemption;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.config.args.DefaultPreemptionArgs;
import io.evenkeel.framework.PluginContext;
import io.evenkeel.framework.PluginFactory;
import io.evenkeel.framework.PostFilterPlugin;
import io.evenkeel.framework.WakeUpPlugin;
import io.evenkeel.framework.change.WakeUp;
import io.evenkeel.framework.cycle.CycleState;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.FitError;
import io.evenkeel.framework.cycle.PreemptionCandidate;
import io.evenkeel.framework.cycle.Rejection;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.cycle.Trial;
import io.evenkeel.framework.cycle.VictimAdvice;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds pods of lower priority that go so that a pod may run: on one node, as few and as unimportant ones as possible, and
 * none whose PodDisruptionBudget is used up while there is another way.
 */
public final class DefaultPreemption implements PostFilterPlugin, WakeUpPlugin {
    public static final String NAME = "DefaultPreemption";
    public static final PluginFactory FACTORY = PluginFactory.of(NAME, DefaultPreemption.class, DefaultPreemption::new);

    private static final String PREFIX = "preemption: ";
    private static final String NO_CANDIDATE = "no candidate node for preemption";
    private static final String NOT_HELPFUL = "Preemption is not helpful for scheduling";

    private final ClusterView cluster;
    private final Eligibility eligibility;
    private final Search search;
    private final ExtendersChoice choice;
    private final DefaultPreemptionArgs args;

    DefaultPreemption(PluginContext context) {
        cluster = context.cluster();
        eligibility = new Eligibility(cluster);
        search = new Search(cluster, cluster.index(EvictionIndex.class, EvictionIndex::new));
        choice = new ExtendersChoice(cluster, search);
        args = context.argsOr(DefaultPreemptionArgs.class, DefaultPreemptionArgs.defaults());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Kind<?>> reads() {
        return Set.of(Kinds.POD_DISRUPTION_BUDGET);
    }

    /** Of a pod for which others go, the plugins that turned it away know what helps. */
    @Override
    public List<WakeUp> wakeUps() {
        return List.of();
    }

    @Override
    public Result postFilter(CycleState state, PodInfo pod, Diagnosis diagnosis, Trial trial) {
        Optional<String> obstacle = eligibility.obstacle(pod.pod(), diagnosis, trial);
        if (obstacle.isPresent()) {
            return Result.none(unschedulable(obstacle.get()));
        }
        NodeSetView helpful = whereEvictionMayHelp(diagnosis);
        return search.among(helpful, pod, diagnosis, trial)
                .map(best -> somebody(best, helpful.size(), trial.victimAdvice()))
                .orElseGet(() -> nobody(helpful));
    }

    private Result somebody(PreemptionCandidate best, int helpful, VictimAdvice advice) {
        return switch (advice) {
            case VictimAdvice.NotNeeded _ -> Result.preempt(best.node(), best.victims());
            case VictimAdvice.Needed _ -> Result.askExtenders(shortlist(helpful));
            case VictimAdvice.Failed(String message) -> Result.none(Status.error(PREFIX + message));
            case VictimAdvice.Given given -> byChoice(given, helpful);
        };
    }

    private Result byChoice(VictimAdvice.Given given, int helpful) {
        Optional<PreemptionCandidate> chosen = choice.best(given);
        if (chosen.isPresent()) {
            return Result.preempt(chosen.get().node(), chosen.get().victims());
        }
        return given.mayAskAgain() && !choice.isWhatWasAskedAbout(given, shortlist(helpful))
                ? Result.askExtenders(shortlist(helpful))
                : Result.none(unschedulable(NO_CANDIDATE));
    }

    /** What extenders are asked about: the best of the candidates. */
    private List<PreemptionCandidate> shortlist(int helpful) {
        long ofAll = (long) helpful * args.minCandidateNodesPercentage() / 100;
        return search.best((int) Math.max(ofAll, args.minCandidateNodesAbsolute()));
    }

    /** What is said where nobody can go: of each node why, unless one made no sense. */
    private Result nobody(NodeSetView asked) {
        Map<Status, Integer> objections = new LinkedHashMap<>();
        for (int node = asked.first(); node >= 0; node = asked.next(node + 1)) {
            objections.merge(search.verdictOn(node), 1, Integer::sum);
        }
        SortedMap<String, Integer> counts = new TreeMap<>();
        for (Map.Entry<Status, Integer> objection : objections.entrySet()) {
            Status status = objection.getKey();
            if (!status.isRejected()) {
                return Result.none(Status.error(PREFIX + status.message()));
            }
            status.reasons().forEach(reason -> counts.merge(reason, objection.getValue(), Integer::sum));
        }
        int nodes = cluster.nodes().count();
        int notAsked = nodes - asked.size();
        if (notAsked > 0) {
            counts.merge(NOT_HELPFUL, notAsked, Integer::sum);
        }
        return new Result(unschedulable(FitError.message(nodes, counts)), Optional.of(""));
    }

    /** The nodes whose verdict says that it could be another with other pods there. */
    private NodeSetView whereEvictionMayHelp(Diagnosis diagnosis) {
        if (diagnosis.preFilter().isPresent()) {
            Status ofAll = diagnosis.preFilter().get().status();
            return isResolvable(ofAll) ? cluster.nodes().present() : NodeSetView.NONE;
        }
        NodeSet nodes = new NodeSet();
        for (Rejection rejection : diagnosis.rejections()) {
            if (isResolvable(rejection.status())) {
                nodes.addAll(rejection.nodes());
            }
        }
        return nodes;
    }

    private static boolean isResolvable(Status status) {
        return status.code() == Status.Code.UNSCHEDULABLE;
    }

    private static Status unschedulable(String why) {
        return Status.unschedulable(PREFIX + why);
    }
}
