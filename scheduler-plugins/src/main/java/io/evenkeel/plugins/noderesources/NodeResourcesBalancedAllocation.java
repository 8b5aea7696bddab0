package io.evenkeel.plugins.noderesources;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.DerivedColumn;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.PodResources;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.config.NodeResourcesBalancedAllocationArgs;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.PluginContext;
import io.evenkeel.framework.PluginFactory;
import io.evenkeel.framework.PreScorePlugin;
import io.evenkeel.framework.cycle.NodeScores;

/**
 * Prefers nodes whose resources the pod makes evenly used, as one column of scores for all pods with the same requests.
 * It has no say about pods that request nothing, lest they all go to one node.
 */
public final class NodeResourcesBalancedAllocation implements PreScorePlugin, BatchScorePlugin {
    public static final String NAME = "NodeResourcesBalancedAllocation";
    public static final PluginFactory FACTORY =
            PluginFactory.of(NAME, NodeResourcesBalancedAllocation.class, NodeResourcesBalancedAllocation::new);

    private final ClusterView cluster;
    private final NodeResourcesBalancedAllocationArgs args;
    /** The resources that pods are scored by whatever they request, and how evenly each node's are used without them. */
    private final ScoredResources usual;

    private final DerivedColumn balances;
    private final FacetCache<PodResources, Compiled> compiled;

    /** The values worked out once for all pods with the same requests. */
    private record Compiled(boolean bestEffort, DerivedColumn scores) {}

    public NodeResourcesBalancedAllocation(PluginContext context) {
        cluster = context.cluster();
        args = context.argsOr(
                NodeResourcesBalancedAllocationArgs.class, NodeResourcesBalancedAllocationArgs.defaults());
        usual = ScoredResources.of(args.resources(), ResourceVector.NONE, cluster.resources());
        balances = cluster.columnOverUsage(new BalanceScore(cluster.nodes(), usual)::balanceNow);
        compiled = new FacetCache<>(
                cluster.shapes().resources(),
                cluster::rankingsWorthKeeping,
                this::compile,
                facet -> cluster.drop(facet.scores));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Status preScore(CycleState state, PodInfo pod, NodeSet feasible) {
        return compiled.get(pod.shape().resources()).bestEffort ? Status.SKIP : Status.SUCCESS;
    }

    @Override
    public void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        Compiled facet = compiled.get(pod.shape().resources());
        if (facet.bestEffort) {
            scores.uniform(0);
        } else {
            scores.kept(facet.scores);
        }
    }

    private Compiled compile(Facet<PodResources> facet) {
        ScoredResources resources =
                ScoredResources.of(args.resources(), facet.value().requests(), cluster.resources());
        BalanceScore score = resources.size() == usual.size()
                ? new BalanceScore(cluster.nodes(), resources, node -> balances.current()[node])
                : new BalanceScore(cluster.nodes(), resources);
        return new Compiled(resources.isBestEffort(), cluster.columnOverUsage(score::of));
    }
}
