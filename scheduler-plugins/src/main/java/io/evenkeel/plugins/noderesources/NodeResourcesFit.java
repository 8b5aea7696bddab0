package io.evenkeel.plugins.noderesources;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.DerivedColumn;
import io.evenkeel.cluster.node.DerivedGroups;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.PodResources;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import java.util.Collection;
import java.util.List;

/**
 * Keeps the nodes that have room for the pod, and scores them by how much of them would be allocated.
 *
 * <p>All pods with the same requests share the groups of nodes that lack the same and one column of scores; a
 * placement makes each of them look at one node again.
 */
public final class NodeResourcesFit
        implements PreFilterPlugin,
                BatchFilterPlugin,
                DryRunPlugin,
                PreScorePlugin,
                BatchScorePlugin,
                WakeUpPlugin,
                ExplainingPlugin {
    public static final String NAME = "NodeResourcesFit";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, NodeResourcesFit.class, NodeResourcesFit::new);

    private final ClusterView cluster;
    private final NodeResourcesFitArgs args;
    private final IgnoredResources ignored;
    private final AllocationFormula formula;
    private final FacetCache<PodResources, Compiled> compiled;
    private final FitAnswers answers;

    /** The values worked out once for all pods with the same requests. */
    private record Compiled(FitCheck check, DerivedGroups lacking, DerivedColumn scores) {}

    public NodeResourcesFit(TreeContext context) {
        cluster = context.cluster();
        args = context.argsOr(NodeResourcesFitArgs.class, NodeResourcesFitArgs.defaults());
        ignored = IgnoredResources.of(args);
        answers = new FitAnswers(cluster, ignored);
        formula = AllocationFormula.of(args.scoringStrategy());
        compiled = new FacetCache<>(
                cluster.shapes().resources(), cluster::rankingsWorthKeeping, this::compile, this::discard);
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Nothing to prepare; configurations name the plugin at this point nevertheless. */
    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        return PreFilterResult.PROCEED;
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        Compiled facet = compiled.get(pod.shape().resources());
        List<NodeSetView> lacking = facet.lacking.current();
        for (int number = FitCheck.FITS + 1; number < lacking.size(); number++) {
            rejections.reject(candidates, lacking.get(number), facet.check.status(number));
        }
    }

    @Override
    public Status filter(CycleState state, PendingPod waiting, NodeInfo node) {
        PodInfo pod = PodInfo.of(waiting);
        return compiled.get(pod.shape().resources()).check.verdict(LiveNode.idOf(node));
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        return new FitDryRun(compiled.get(pod.shape().resources()).check, cluster.pods());
    }

    /** Nothing to prepare; configurations name the plugin at this point nevertheless. */
    @Override
    public Status preScore(CycleState state, PendingPod pod, Collection<NodeInfo> feasible) {
        return Status.SUCCESS;
    }

    @Override
    public void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        scores.kept(compiled.get(pod.shape().resources()).scores);
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return answers.accounts(pod);
    }

    @Override
    public double distance(PodInfo pod, NodeInfo node) {
        return answers.distance(pod, node);
    }

    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return answers.remedies(pod, node);
    }

    @Override
    public List<WakeUp> wakeUps() {
        return new FitWakeUps(cluster, pod -> compiled.get(pod.shape().resources()).check).all();
    }

    private Compiled compile(Facet<PodResources> facet) {
        PodResources pod = facet.value();
        FitCheck check = FitCheck.of(cluster, pod.asked(), ignored);
        ScoredResources scored =
                ScoredResources.of(args.scoringStrategy().resources(), pod.scored(), cluster.resources());
        AllocationScore score = new AllocationScore(cluster.nodes(), formula, scored);
        return new Compiled(check, cluster.groupsOverUsage(check::lacking), cluster.columnOverUsage(score::of));
    }

    private void discard(Compiled facet) {
        cluster.drop(facet.lacking);
        cluster.drop(facet.scores);
    }

    /**
     * How much of a node would be allocated with a pod on it, as a score from 0 to 100: the weighted mean of what the
     * formula gives for each resource. Resources that the node has not are left out. CPU and memory are counted with the
     * defaults for containers that request none, on the pod's side as on the node's.
     */
    private static final class AllocationScore {
        private final NodeTable nodes;
        private final AllocationFormula formula;
        private final ScoredResources resources;

        AllocationScore(NodeTable nodes, AllocationFormula formula, ScoredResources resources) {
            this.nodes = nodes;
            this.formula = formula;
            this.resources = resources;
        }

        int of(int node) {
            long sum = 0;
            long weights = 0;
            for (int i = 0; i < resources.size(); i++) {
                int resource = resources.resource(i);
                long capacity = nodes.allocatable(resource, node);
                if (capacity == 0) {
                    continue;
                }
                long score = formula.score(used(resource, node) + resources.amount(i), capacity);
                if (score > 0 || formula.countsZeros()) {
                    sum += score * resources.weight(i);
                    weights += resources.weight(i);
                }
            }
            return weights == 0 ? 0 : formula.mean(sum, weights);
        }

        private long used(int resource, int node) {
            return switch (resource) {
                case ResourceNames.CPU -> nodes.nonZeroCpu(node);
                case ResourceNames.MEMORY -> nodes.nonZeroMemory(node);
                default -> nodes.requested(resource, node);
            };
        }
    }
}
