package io.evenkeel.plugins;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.CountedDevices;
import io.evenkeel.cluster.counting.ExtendedResources;
import io.evenkeel.cluster.node.DerivedColumn;
import io.evenkeel.cluster.node.NodeRanking.ScoreBounds;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.PodResources;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.config.PluginArgs.NodeResourcesBalancedAllocationArgs;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.model.kind.Kind;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * Prefers nodes whose resources the pod makes evenly used, as one column of scores for all pods with the same requests.
 * It has no say about pods that request nothing, lest they all go to one node.
 */
final class NodeResourcesBalancedAllocation implements PreScorePlugin, BatchScorePlugin {
    static final String NAME = "NodeResourcesBalancedAllocation";

    private final ClusterView cluster;
    private final NodeResourcesBalancedAllocationArgs args;
    /** The resources that pods are scored by whatever they request, and how evenly each node's are used without them. */
    private final ScoredResources usual;

    private final DerivedColumn balances;
    private final IntUnaryOperator balanceNow;
    private final ExtendedResources extended;
    private final Optional<CountedDevices> devices;
    private final FacetCache<PodResources, Compiled> compiled;
    private int compiledFor;

    /**
     * The values worked out once for all pods with the same requests.
     *
     * @param ofDevices the score where it is asked of each pod, as devices count in it
     */
    private record Compiled(boolean bestEffort, DerivedColumn scores, Optional<BalanceScore> ofDevices) {}

    /** @param counts of devices that stand for resources */
    NodeResourcesBalancedAllocation(TreeContext context, Function<ClusterView, CountedDevices> counts) {
        cluster = context.cluster();
        args = context.argsOr(
                NodeResourcesBalancedAllocationArgs.class, NodeResourcesBalancedAllocationArgs.defaults());
        usual = ScoredResources.of(args.resources(), ResourceVector.NONE, cluster.resources());
        balances = cluster.derivations()
                .keptUp(cluster.derivations()
                        .columnOverUsage(new BalanceScore(cluster.nodes(), usual, Optional.empty())::balanceNow));
        balanceNow = node -> balances.current()[node];
        extended = cluster.extendedResources();
        devices = ScoredResources.mayBeDevices(args.resources(), extended)
                ? Optional.of(counts.apply(cluster))
                : Optional.empty();
        compiled = new FacetCache<>(
                cluster.shapes().resources(),
                cluster::setsWorthKeeping,
                this::compile,
                facet -> cluster.derivations().drop(facet.scores));
    }

    static PluginFactory factory(Function<ClusterView, CountedDevices> counts) {
        return TreeContext.factory(
                NAME,
                NodeResourcesBalancedAllocation.class,
                context -> new NodeResourcesBalancedAllocation(context, counts));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Kind<?>> reads() {
        return devices.isPresent() ? devices.get().kinds() : Set.of();
    }

    private Compiled compiled(PodInfo pod) {
        if (compiledFor != extended.version()) {
            compiled.clear();
            compiledFor = extended.version();
        }
        return compiled.get(pod.shape().resources());
    }

    @Override
    public Status preScore(CycleState state, PendingPod waiting, Collection<NodeInfo> feasible) {
        return compiled(PodInfo.of(waiting)).bestEffort ? Status.SKIP : Status.SUCCESS;
    }

    @Override
    public void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        Compiled facet = compiled(pod);
        if (facet.bestEffort) {
            scores.uniform(0);
        } else if (facet.ofDevices.isPresent()) {
            scores.fill(feasible, cluster.nodes().end(), facet.ofDevices.get()::of);
        } else {
            scores.kept(facet.scores);
        }
    }

    private Compiled compile(Facet<PodResources> facet) {
        ScoredResources resources =
                ScoredResources.of(args.resources(), facet.value().requests(), cluster.resources());
        boolean isUsual = resources.size() == usual.size();
        BalanceScore score = isUsual
                ? new BalanceScore(cluster.nodes(), resources, balanceNow)
                : new BalanceScore(cluster.nodes(), resources, Optional.empty());
        return new Compiled(
                resources.isBestEffort(),
                cluster.derivations()
                        .columnOverUsage(
                                score::of,
                                isUsual && resources.size() == 2 && resources.areUsual()
                                        ? Optional.of(bits -> new BalanceBounds(
                                                cluster.nodes(),
                                                resources.least(bits),
                                                resources.most(bits),
                                                balanceNow))
                                        : Optional.empty()),
                devices.filter(_ -> resources.anyIs(
                                resource -> extended.classOf(resource).isPresent()))
                        .map(counted -> new BalanceScore(cluster.nodes(), resources, Optional.of(counted))));
    }

    /** Between the scores where the fractions of two resources are as far apart as these requests allow, and as near. */
    private record BalanceBounds(
            NodeTable nodes, ScoredResources least, ScoredResources most, IntUnaryOperator balanceNow)
            implements ScoreBounds {
        @Override
        public BalanceBounds upToDate() {
            return this;
        }

        @Override
        public int lowest(int node) {
            return score(node, Math.max(lead(0, 1, node), lead(1, 0, node)));
        }

        @Override
        public int highest(int node) {
            return score(node, Math.max(0, Math.max(-lead(0, 1, node), -lead(1, 0, node))));
        }

        /** How far the one fraction may be ahead of the other, which is less than nothing where it is always behind. */
        private double lead(int one, int other, int node) {
            return fraction(most, one, node) - fraction(least, other, node);
        }

        private double fraction(ScoredResources amounts, int index, int node) {
            int resource = amounts.resource(index);
            return BalanceScore.fraction(
                    nodes.requested(resource, node) + amounts.amount(index), nodes.allocatable(resource, node));
        }

        private int score(int node, double distance) {
            boolean areThere = true;
            for (int i = 0; i < least.size(); i++) {
                int resource = least.resource(i);
                long capacity = nodes.allocatable(resource, node);
                if (!ScoredResources.isUsual(nodes.requested(resource, node), capacity)) {
                    return NONE;
                }
                areThere &= capacity != 0;
            }
            double deviation = areThere ? distance / 2 : 0;
            return BalanceScore.score((int) ((1 - deviation) * 100), balanceNow.applyAsInt(node));
        }

        @Override
        public long reworked() {
            return 0;
        }
    }

    /**
     * A score of how evenly a node's resources would be used with a pod on it, against how evenly they are used now.
     *
     * <p>With σ the population standard deviation of requested / allocatable over the resources that the node has, each
     * fraction capped at 1, the balance is B = ⌊(1 − σ) · 100⌋, and the score 50 + (50 + B with the pod − B without) / 2. The
     * doubles are rounded in the reference's order of operations.
     */
    private static final class BalanceScore {
        private static final double NOT_THERE = -1;

        private final NodeTable nodes;
        private final ScoredResources resources;
        private final IntUnaryOperator balanceNow;
        private final Optional<CountedDevices> devices;
        private final double[] fractions;

        private BalanceScore(
                NodeTable nodes,
                ScoredResources resources,
                Optional<IntUnaryOperator> balanceNow,
                Optional<CountedDevices> devices) {
            this.nodes = nodes;
            this.resources = resources;
            this.balanceNow = balanceNow.orElse(node -> balance(node, 0));
            this.devices = devices;
            this.fractions = new double[resources.size()];
        }

        /** Counts devices that stand for what a node has not, if any. */
        BalanceScore(NodeTable nodes, ScoredResources resources, Optional<CountedDevices> devices) {
            this(nodes, resources, Optional.empty(), devices);
        }

        /** Takes the kept balance of nodes without the pod, by the same resources. */
        BalanceScore(NodeTable nodes, ScoredResources resources, IntUnaryOperator balanceNow) {
            this(nodes, resources, Optional.of(balanceNow), Optional.empty());
        }

        int of(int node) {
            return score(balance(node, 1), balanceNow.applyAsInt(node));
        }

        static int score(int balanceWithPod, int balanceNow) {
            return 50 + (50 + balanceWithPod - balanceNow) / 2;
        }

        /** B without the pod. */
        int balanceNow(int node) {
            return balance(node, 0);
        }

        private int balance(int node, int pods) {
            double deviation = fractions.length == 2 ? deviationOfTwo(node, pods) : deviationOfAny(node, pods);
            return (int) ((1 - deviation) * 100);
        }

        /** Takes fewer steps for two resources, which are scored unless somebody says otherwise. */
        private double deviationOfTwo(int node, int pods) {
            double one = fraction(0, node, pods);
            double other = fraction(1, node, pods);
            return one == NOT_THERE || other == NOT_THERE ? 0 : halfDistance(one, other);
        }

        private double deviationOfAny(int node, int pods) {
            int count = 0;
            double sum = 0;
            for (int i = 0; i < fractions.length; i++) {
                double fraction = fraction(i, node, pods);
                if (fraction != NOT_THERE) {
                    sum += fraction;
                    fractions[count++] = fraction;
                }
            }
            return switch (count) {
                case 0, 1 -> 0;
                case 2 -> halfDistance(fractions[0], fractions[1]);
                default -> deviation(count, sum / count);
            };
        }

        private double deviation(int count, double mean) {
            double squares = 0;
            for (int i = 0; i < count; i++) {
                squares += (fractions[i] - mean) * (fractions[i] - mean);
            }
            return Math.sqrt(squares / count);
        }

        private static double halfDistance(double one, double other) {
            return Math.abs((one - other) / 2);
        }

        /** How much of the node's resource would be requested, at most all of it. */
        private double fraction(int index, int node, int pods) {
            int resource = resources.resource(index);
            long capacity = nodes.allocatable(resource, node);
            long used = nodes.requested(resource, node);
            if (capacity == 0 && devices.isPresent()) {
                devices.get().count(resources.name(index), node);
                capacity = devices.get().all();
                used = devices.get().inUse();
            }
            if (capacity == 0) {
                return NOT_THERE;
            }
            return fraction(used + pods * resources.amount(index), capacity);
        }

        static double fraction(long requested, long capacity) {
            return Math.min((double) requested / (double) capacity, 1);
        }
    }
}
