package io.evenkeel.plugins;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.config.PluginArgs.NodeAffinityArgs;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Labels;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps pods to the nodes that match the profile's {@code addedAffinity}, their {@code nodeSelector} and their required
 * node affinity, and prefers nodes by preferred node affinity.
 *
 * <p>PreFilter narrows the choice to the nodes that a required affinity names in each of its terms. The added affinity
 * never narrows; it is checked node by node, before the pod's own and with a reason of its own.
 *
 * <p>Score: 100·s / max s, where s is the sum of the weights of the preferred terms that match, the profile's and the
 * pod's, and the maximum is over the feasible nodes; 0 for all where that is 0. A pod that prefers by what no label can be
 * fails, as with the reference.
 */
final class NodeAffinity extends NodeCheck
        implements PreFilterPlugin, PreScorePlugin, BatchScorePlugin, ExplainingPlugin {
    public static final String NAME = "NodeAffinity";
    public static final PluginFactory FACTORY = TreeContext.factory(NAME, NodeAffinity.class, NodeAffinity::new);

    private static final Status NOT_ENFORCED =
            Status.unresolvable("node(s) didn't match scheduler-enforced node affinity");
    private static final Status NO_MATCH = Status.unresolvable("node(s) didn't match Pod's node affinity/selector");
    private static final PreFilterResult CONFLICT =
            new PreFilterResult.Rejected(Status.unresolvable("pod affinity terms conflict"));

    private final NodeTable nodes;
    private final AddedAffinity added;
    private final FacetCache<NodeRequirement, CompiledAffinity> compiled;

    public NodeAffinity(TreeContext context) {
        ClusterView cluster = context.cluster();
        nodes = cluster.nodes();
        added = AddedAffinity.of(context.argsOr(NodeAffinityArgs.class, NodeAffinityArgs.defaults()), cluster);
        compiled = new FacetCache<>(
                cluster.shapes().nodeRequirements(),
                cluster::columnsWorthKeeping,
                facet -> new CompiledAffinity(cluster, facet.value(), added.preferred()),
                CompiledAffinity::discard);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod waiting) {
        CompiledAffinity affinity = compiled.get(PodInfo.of(waiting).shape().nodeRequirement());
        if (affinity.isUnrestricted() && added.enforced().isEmpty()) {
            return PreFilterResult.SKIP;
        }
        Optional<Set<String>> named = affinity.named();
        if (named.isEmpty()) {
            return PreFilterResult.PROCEED;
        }
        return named.get().isEmpty() ? CONFLICT : new PreFilterResult.OnlyNodes(named.get());
    }

    @Override
    Status verdict(PodInfo pod, Node node) {
        if (!added.admits(node)) {
            return NOT_ENFORCED;
        }
        return pod.shape().nodeRequirement().value().matches(node) ? Status.SUCCESS : NO_MATCH;
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        return pod.shape().nodeRequirement().value().isUnrestricted()
                        && added.enforced().isEmpty()
                ? FilterDryRun.PASSES
                : FilterDryRun.byNode(node -> verdict(pod, nodes.node(node)));
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        if (added.enforced().isPresent()) {
            rejections.keepOnly(candidates, added.enforced().get().current(), NOT_ENFORCED);
        }
        CompiledAffinity affinity = compiled.get(pod.shape().nodeRequirement());
        if (!affinity.isUnrestricted()) {
            rejections.keepOnly(candidates, affinity.matching(), NO_MATCH);
        }
    }

    @Override
    public Status preScore(CycleState state, PendingPod waiting, Collection<NodeInfo> feasible) {
        CompiledAffinity affinity = compiled.get(PodInfo.of(waiting).shape().nodeRequirement());
        if (affinity.fault().isPresent()) {
            return Status.error(affinity.fault().get());
        }
        return affinity.preferred().isPresent() ? Status.SUCCESS : Status.SKIP;
    }

    @Override
    public void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        compiled.get(pod.shape().nodeRequirement())
                .preferred()
                .ifPresentOrElse(column -> column.scoreAll(feasible, scores), () -> scores.uniform(0));
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return RequirementAnswers.accounts(pod.shape().nodeRequirement().value(), nodes);
    }

    @Override
    public double distance(PodInfo pod, NodeInfo node) {
        return RequirementAnswers.distance(pod.shape().nodeRequirement().value(), node.node());
    }

    @Override
    public List<Labels> labelsOfNewNodes(PodInfo pod) {
        return RequirementAnswers.ofNewNodes(pod.shape().nodeRequirement().value());
    }

    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return RequirementAnswers.remedies(pod.shape().nodeRequirement().value(), node.node());
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                onPassing(
                        waiting -> PodInfo.of(waiting).shape().nodeRequirement(),
                        ChangeKind.NODE_ADDED,
                        ChangeKind.NODE_LABELS),
                WakeUp.on(NodeAffinity::asksForOthers, ChangeKind.OWN_OTHER));
    }

    private static boolean asksForOthers(PendingPod waiting, ClusterChange change) {
        NodeRequirement now = PodInfo.of(waiting).shape().nodeRequirement().value();
        return change.before(Pod.class)
                .filter(before -> now.equals(new NodeRequirement(
                        before.spec().nodeSelector(), before.spec().nodeAffinity())))
                .isEmpty();
    }
}
