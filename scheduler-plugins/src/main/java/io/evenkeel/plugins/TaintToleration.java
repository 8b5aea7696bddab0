package io.evenkeel.plugins;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.Hint;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.DerivedMask;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.Tolerations;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.NormalizedColumn;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.framework.why.NodeChange.TaintRemoved;
import io.evenkeel.framework.why.NodeChange.Uncordoned;
import io.evenkeel.framework.why.PodChange.Tolerated;
import io.evenkeel.model.Node;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Keeps pods off nodes with a NoSchedule or NoExecute taint that they do not tolerate, and prefers nodes with fewer
 * PreferNoSchedule taints that they do not tolerate.
 *
 * <p>Score: 100 − 100·c / max c, where c is the number of untolerated PreferNoSchedule taints and the maximum is over
 * the feasible nodes; 100 for all where that is 0. A toleration for another effect does not tolerate such a taint.
 */
final class TaintToleration extends NodeCheck implements PreScorePlugin, BatchScorePlugin, ExplainingPlugin {
    public static final String NAME = "TaintToleration";
    public static final PluginFactory FACTORY = TreeContext.factory(NAME, TaintToleration.class, TaintToleration::new);

    private static final Status UNTOLERATED = Status.unresolvable("node(s) had untolerated taint(s)");

    private final ClusterView cluster;
    private final FacetCache<Tolerations, CompiledTolerations> compiled;

    public TaintToleration(TreeContext context) {
        cluster = context.cluster();
        compiled = new FacetCache<>(
                cluster.shapes().tolerations(), cluster::columnsWorthKeeping, this::compile, this::discard);
    }

    @Override
    public String name() {
        return NAME;
    }

    /** One set of tolerations, worked out for each node. */
    private record CompiledTolerations(DerivedMask admitting, NormalizedColumn dislike) {}

    private CompiledTolerations compile(Facet<Tolerations> facet) {
        Tolerations tolerations = facet.value();
        return new CompiledTolerations(
                cluster.derivations()
                        .maskOverNodes(
                                node -> tolerations.admitTo(cluster.nodes().node(node))),
                new NormalizedColumn(
                        cluster.derivations()
                                .columnOverNodes(node ->
                                        dislike(tolerations, cluster.nodes().node(node))),
                        true));
    }

    private void discard(CompiledTolerations tolerations) {
        cluster.derivations().drop(tolerations.admitting());
        cluster.derivations().drop(tolerations.dislike().raw());
    }

    @Override
    Status verdict(PodInfo pod, Node node) {
        return pod.shape().tolerations().value().admitTo(node) ? Status.SUCCESS : UNTOLERATED;
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        CompiledTolerations tolerations = compiled.get(pod.shape().tolerations());
        rejections.keepOnly(candidates, tolerations.admitting(), UNTOLERATED);
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        return FilterDryRun.byNode(node -> verdict(pod, cluster.nodes().node(node)));
    }

    /** Nothing to do; a configuration may name the plugin at this point as the reference's. */
    @Override
    public Status preScore(CycleState state, PendingPod pod, Collection<NodeInfo> feasible) {
        return Status.SUCCESS;
    }

    @Override
    public void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        compiled.get(pod.shape().tolerations()).dislike().scoreAll(feasible, scores);
    }

    private static int dislike(Tolerations tolerations, Node node) {
        int untolerated = 0;
        for (Taint taint : node.taints()) {
            if (taint.effect() == TaintEffect.PREFER_NO_SCHEDULE && !tolerations.tolerate(taint)) {
                untolerated++;
            }
        }
        return untolerated;
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        Map<String, Integer> nodesByTaint = new TreeMap<>();
        for (int node = 0; node < cluster.nodes().end(); node++) {
            if (cluster.nodes().isPresent(node)) {
                untolerated(pod, cluster.nodes().node(node))
                        .forEach(taint -> nodesByTaint.merge(taint.text(), 1, Integer::sum));
            }
        }
        return nodesByTaint.entrySet().stream()
                .<Account>map(taint -> new Account.Words("taint " + taint.getKey() + ", not tolerated: "
                        + taint.getValue() + " of " + cluster.nodes().count() + " nodes"))
                .toList();
    }

    @Override
    public double distance(PodInfo pod, NodeInfo node) {
        return untolerated(pod, node.node()).size();
    }

    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        List<Taint> taints = untolerated(pod, node.node());
        return Stream.of(
                        taints.stream()
                                .map(taint -> taint.isOfCordon() ? without(taint, node.node()) : new Tolerated(taint))
                                .toList(),
                        taints.stream()
                                .map(taint -> without(taint, node.node()))
                                .toList())
                .distinct()
                .toList();
    }

    /** A cordon puts its taint there again for as long as there is the cordon. */
    private static Change without(Taint taint, Node node) {
        return node.unschedulable() && taint.isOfCordon()
                ? new Uncordoned(node.name())
                : new TaintRemoved(node.name(), taint);
    }

    private static List<Taint> untolerated(PodInfo pod, Node node) {
        Tolerations tolerations = pod.shape().tolerations().value();
        return node.taints().stream()
                .filter(taint -> taint.effect().keepsPodsAway() && !tolerations.tolerate(taint))
                .toList();
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                whenNodeBeginsToPass(
                        waiting -> PodInfo.of(waiting).shape().tolerations(),
                        ChangeKind.NODE_ADDED,
                        ChangeKind.NODE_TAINTS),
                WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_TOLERATIONS));
    }
}
