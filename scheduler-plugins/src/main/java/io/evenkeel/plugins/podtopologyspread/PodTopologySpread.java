package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.StateKey;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.SpreadCounters;
import io.evenkeel.cluster.counting.SelectorIndex;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.SpreadRules;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
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
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.plugins.podtopologyspread.ConstraintCompiler.CompiledConstraints;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Spreads pods over topology domains: hard constraints filter, soft ones score. Pods without constraints of their own
 * get the profile's default ones.
 *
 * <p>Which nodes a constraint counts: those with all topology keys of the pod's hard (or, for scoring, soft) constraints
 * that pass the constraint's two inclusion policies. Which pods: those of the pod's namespace that the selector matches
 * and that are not being deleted. Both are kept by {@link ClusterView} for all pods of a shape; see {@link SkewFilter}
 * and {@link SpreadScorer} for what is made of them.
 */
public final class PodTopologySpread
        implements PreFilterPlugin,
                BatchFilterPlugin,
                DryRunPlugin,
                PreScorePlugin,
                BatchScorePlugin,
                WakeUpPlugin,
                ExplainingPlugin {
    public static final String NAME = "PodTopologySpread";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, PodTopologySpread.class, PodTopologySpread::new);

    private static final int SHAPES_REMEMBERED = 4096;

    private final ClusterView cluster;
    private final ConstraintCompiler compiler;
    private final FacetCache<PodShape, CompiledConstraints> ownConstraints;
    private final DefaultConstraints defaultConstraints;
    private final PodConstraints constraints;
    private final StateKey<CompiledConstraints> compiled = new StateKey<>(NAME, CompiledConstraints.class);
    private final SkewFilter filter;
    private final SpreadScorer scorer = new SpreadScorer();

    PodTopologySpread(TreeContext context) {
        cluster = context.cluster();
        filter = new SkewFilter(cluster);
        compiler = new ConstraintCompiler(cluster);
        ownConstraints = new FacetCache<>(
                cluster.shapes().shapes(),
                SHAPES_REMEMBERED,
                shape -> shape.spread().value().constraints().size(),
                this::compile,
                compiler::release);
        PodTopologySpreadArgs args = context.argsOr(PodTopologySpreadArgs.class, PodTopologySpreadArgs.defaults());
        defaultConstraints = new DefaultConstraints(cluster, compiler, args);
        constraints = new PodConstraints(cluster, args);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Kind<?>> reads() {
        return defaultConstraints.reads();
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod waiting) {
        CompiledConstraints constraints = constraintsOf(PodInfo.of(waiting));
        state.put(compiled, constraints);
        cluster.work().addRules(constraints.hard().size() + constraints.soft().size());
        return constraints.hard().isEmpty() ? PreFilterResult.SKIP : PreFilterResult.PROCEED;
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        filter.filter(constraintsOf(state, pod).hard(), pod.pod().labels(), candidates, rejections);
    }

    @Override
    public Status filter(CycleState state, PendingPod waiting, NodeInfo node) {
        PodInfo pod = PodInfo.of(waiting);
        return SkewFilter.filterOne(constraintsOf(state, pod).hard(), pod.pod().labels(), LiveNode.idOf(node));
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        List<HardConstraint> hard = constraintsOf(pod).hard();
        return hard.isEmpty()
                ? FilterDryRun.PASSES
                : new SkewDryRun(cluster, filter, hard, pod.pod(), hasOwnConstraints(pod));
    }

    @Override
    public Status preScore(CycleState state, PendingPod waiting, Collection<NodeInfo> feasible) {
        return constraintsOf(state, PodInfo.of(waiting)).soft().isEmpty() ? Status.SKIP : Status.SUCCESS;
    }

    @Override
    public void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        CompiledConstraints constraints = constraintsOf(state, pod);
        cluster.work().addSets(constraints.soft().size(), cluster.nodes().end());
        scorer.score(constraints, feasible, cluster.nodes(), scores);
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return constraintsOf(pod).hard().stream()
                .map(constraint -> SpreadAnswers.account(constraint, pod))
                .toList();
    }

    @Override
    public List<Account> rulesInForce(PodInfo pod) {
        return SpreadAnswers.inForce(
                constraints.of(pod.pod(), pod.shape().spread().value()));
    }

    @Override
    public double distance(PodInfo pod, NodeInfo node) {
        return SpreadAnswers.distance(constraintsOf(pod).hard(), pod, node);
    }

    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return SpreadAnswers.remedies(constraintsOf(pod).hard(), pod, node);
    }

    @Override
    public List<WakeUp> wakeUps() {
        return new SpreadWakeUps(cluster, pod -> constraintsOf(pod).hard()).all();
    }

    /** A profile may have the plugin filter or score without asking it before. */
    private CompiledConstraints constraintsOf(CycleState state, PodInfo pod) {
        Optional<CompiledConstraints> known = state.find(compiled);
        return known.isPresent() ? known.get() : constraintsOf(pod);
    }

    private static boolean hasOwnConstraints(PodInfo pod) {
        return !pod.shape().spread().value().constraints().isEmpty();
    }

    private CompiledConstraints constraintsOf(PodInfo pod) {
        if (hasOwnConstraints(pod)) {
            return ownConstraints.get(pod.interned());
        }
        return defaultConstraints.of(pod);
    }

    private CompiledConstraints compile(Facet<PodShape> shape) {
        SpreadRules rules = shape.value().spread().value();
        return compiler.compile(
                rules.constraints(),
                true,
                new SpreadCounters.Owner(
                        rules.namespace(),
                        shape.value().nodeRequirement().value(),
                        shape.value().tolerations().value()));
    }

    /**
     * Follows the skew in the domains of a node. Pods that leave it make its domain's sum smaller, and the minimum over all
     * domains at most by making this one the smallest: {@code min(minimum, sum)}. So what fits goes on fitting as pods leave, and
     * what does not fit without all of the node's pods never does. Nominated pods make the sum larger, and the minimum at most by
     * taking this domain from it.
     *
     * <pre>{@code
     * maxSkew 1        zone a   zone b   a pod more in a   minimum   skew
     *                  3        1        4                 1         3      rejected
     * two leave a      1        1        2                 1         1      fits
     * three leave a    0        1        1                 0         1      fits
     * }</pre>
     *
     * <p>An empty selector may count no pod in place. Of pods that come and go in thought it counts all of the namespace, as in
     * the reference.
     */
    private static final class SkewDryRun implements FilterDryRun {
        private final SkewFilter filter;
        private final List<HardConstraint> constraints;
        private final SelectorIndex selectors;
        private final Work work;
        private final PodTable pods;
        private final Pod pod;
        private final boolean isAlike;
        private final int[] selfMatches;
        /** By constraint, how many more of the pods that it counts have left the node than are nominated to it. */
        private final int[] left;

        private int node;

        /** @param isAlike whether pods of the shape have these constraints, whatever selects them */
        SkewDryRun(ClusterView cluster, SkewFilter filter, List<HardConstraint> constraints, Pod pod, boolean isAlike) {
            this.filter = filter;
            this.isAlike = isAlike;
            this.constraints = constraints;
            this.selectors = cluster.selectors();
            this.pods = cluster.pods();
            this.pod = pod;
            this.work = cluster.work();
            this.selfMatches = constraints.stream()
                    .mapToInt(constraint -> constraint.selfMatch(pod.labels()))
                    .toArray();
            this.left = new int[selfMatches.length];
        }

        @Override
        public boolean isAlike() {
            return isAlike;
        }

        @Override
        public boolean begin(int begun) {
            node = begun;
            for (int i = 0; i < left.length; i++) {
                left[i] = countedOnNode(constraints.get(i));
            }
            Status without = verdict();
            Arrays.fill(left, 0);
            return !verdict().equals(without);
        }

        @Override
        public boolean addNominated(PodInfo pod) {
            Pod nominated = pod.pod();
            for (int i = 0; i < left.length; i++) {
                HardConstraint constraint = constraints.get(i);
                if (constraint.counter().eligibility().includes(node)
                        && (selectsAll(constraint, nominated)
                                || selectors.selects(
                                        constraint.group().key(), nominated.namespace(), nominated.labels()))) {
                    left[i]--;
                }
            }
            return true;
        }

        private boolean selectsAll(HardConstraint constraint, Pod other) {
            return constraint.selectsAll() && other.namespace().equals(pod.namespace());
        }

        /** Default constraints count peers, and pods of a shape need not be of one workload. */
        @Override
        public boolean keepPassing(NodeSet nodes) {
            if (isAlike) {
                filter.keepPassing(constraints, pod.labels(), nodes);
            }
            return isAlike;
        }

        @Override
        public boolean concerns(int row) {
            for (int i = 0; isAlike && i < constraints.size(); i++) {
                if (counts(constraints.get(i), row)) {
                    return true;
                }
            }
            return false;
        }

        private boolean counts(HardConstraint constraint, int row) {
            return selectsAll(constraint, pods.pod(row))
                    || selectors.isCounted(row, constraint.counter().tally());
        }

        @Override
        public Status verdict() {
            work.add(left.length);
            for (int i = 0; i < left.length; i++) {
                Status verdict = constraints.get(i).verdict(node, selfMatches[i], left[i]);
                if (!verdict.isSuccess()) {
                    return verdict;
                }
            }
            return Status.SUCCESS;
        }

        @Override
        public void count(int row, int more) {
            for (int i = 0; i < left.length; i++) {
                HardConstraint constraint = constraints.get(i);
                if (constraint.counter().eligibility().includes(node) && counts(constraint, row)) {
                    left[i] -= more;
                }
            }
        }

        private int countedOnNode(HardConstraint constraint) {
            return constraint.counter().eligibility().includes(node)
                    ? constraint.counter().tally().countOn(node)
                    : 0;
        }
    }
}
