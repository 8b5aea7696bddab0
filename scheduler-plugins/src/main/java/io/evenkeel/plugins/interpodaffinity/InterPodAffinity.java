package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.api.StateKey;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.CarriedTerm;
import io.evenkeel.cluster.counting.CarriedTerms;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.shape.AffinityRules;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.config.PluginArgs.InterPodAffinityArgs;
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
import org.jspecify.annotations.Nullable;

/**
 * Keeps pods near to and away from each other, as their affinity and anti-affinity say.
 *
 * <p>A pod's own terms are compiled once for all pods with equal terms; what other pods' terms say of it comes from
 * {@link io.evenkeel.cluster.counting.CarriedTerms}. Both are sums by topology domain that the cluster keeps anyway, so
 * filtering and scoring cost a pass over the nodes at most, however many pods there are. Filtering reads the live sums
 * each time, so that it stays right under hypothetical changes.
 */
public final class InterPodAffinity
        implements PreFilterPlugin,
                BatchFilterPlugin,
                DryRunPlugin,
                PreScorePlugin,
                ScorePlugin,
                BatchScorePlugin,
                WakeUpPlugin,
                ExplainingPlugin {
    public static final String NAME = "InterPodAffinity";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, InterPodAffinity.class, InterPodAffinity::new);

    private static final int MOST_COMPILED_RULES = 4096;
    private static final StateKey<AffinityScoring> SCORING = new StateKey<>(NAME, AffinityScoring.class);

    private final ClusterView cluster;
    private final InterPodAffinityArgs args;
    private final OwnRules.Terms ownTerms;
    private final FacetCache<AffinityRules, OwnRules> compiledRules;
    private final MatchingTerms matchingTerms;
    private final AffinityFilter filter;
    private final AffinityScoring scoring;
    private final AffinityAnswers answers;

    public InterPodAffinity(TreeContext context) {
        cluster = context.cluster();
        args = context.argsOr(InterPodAffinityArgs.class, InterPodAffinityArgs.defaults());
        ownTerms = new OwnRules.Terms(args.exactNamespaceSelectors());
        compiledRules = new FacetCache<>(
                cluster.shapes().affinity(),
                MOST_COMPILED_RULES,
                rules -> rules.affinity().termCount(),
                facet -> OwnRules.compile(facet.value(), ownTerms, cluster),
                rules -> rules.release(cluster));
        matchingTerms = new MatchingTerms(cluster.carriedTerms());
        filter = new AffinityFilter(cluster);
        scoring = new AffinityScoring();
        answers = new AffinityAnswers(cluster);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod waiting) {
        PodInfo pod = PodInfo.of(waiting);
        cluster.work().addRules(pod.pod().spec().podAffinity().termCount());
        return rulesOf(pod).restrict() || AffinityFilter.keepsOut(matchingTerms.of(pod))
                ? PreFilterResult.PROCEED
                : PreFilterResult.SKIP;
    }

    @Override
    public Status filter(CycleState state, PendingPod waiting, NodeInfo node) {
        PodInfo pod = PodInfo.of(waiting);
        return filter.verdict(pod, rulesOf(pod), matchingTerms.of(pod), LiveNode.idOf(node));
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        filter.filterAll(pod, rulesOf(pod), matchingTerms.of(pod), candidates, rejections);
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        OwnRules own = rulesOf(pod);
        List<CarriedTerm> met = matchingTerms.of(pod);
        return own.restrict() || AffinityFilter.keepsOut(met)
                ? new AffinityDryRun(cluster, pod.pod(), own, met)
                : FilterDryRun.PASSES;
    }

    @Override
    public Status preScore(CycleState state, PendingPod waiting, Collection<NodeInfo> feasible) {
        return scoringOf(state, PodInfo.of(waiting)).isIndifferent() ? Status.SKIP : Status.SUCCESS;
    }

    /** A profile may have the plugin score without asking it before. */
    private AffinityScoring scoringOf(CycleState state, PodInfo pod) {
        if (state.find(SCORING).isEmpty()) {
            OwnRules own = rulesOf(pod);
            boolean ignoresOthers = args.ignorePreferredTermsOfExistingPods()
                    && own.preferences().isEmpty();
            List<CarriedTerm> met = ignoresOthers ? List.of() : matchingTerms.of(pod);
            cluster.work().add(own.preferences().size());
            cluster.work().addOfOthers(met.size());
            scoring.begin(own.preferences(), met, args.hardPodAffinityWeight());
            state.put(SCORING, scoring);
        }
        return scoring;
    }

    /** The sum of weights that the node's domains have, not normalised. */
    @Override
    public long score(CycleState state, PendingPod waiting, NodeInfo node) {
        return scoringOf(state, PodInfo.of(waiting)).weightAt(LiveNode.idOf(node));
    }

    @Override
    public void normalize(CycleState state, PendingPod waiting, Scores scores) {
        scoringOf(state, PodInfo.of(waiting)).normalize(scores);
    }

    @Override
    public void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        scoringOf(state, pod).scoreAll(feasible, cluster.nodes().end(), scores);
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return answers.accounts(pod, rulesOf(pod), matchingTerms.of(pod));
    }

    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        OwnRules own = rulesOf(pod);
        List<CarriedTerm> met = matchingTerms.of(pod);
        boolean lacks = filter.verdict(pod, own, met, LiveNode.idOf(node)).equals(AffinityFilter.LACKS_COMPANIONS);
        return answers.remedies(pod, own, met, node, lacks);
    }

    @Override
    public List<WakeUp> wakeUps() {
        return new AffinityWakeUps(cluster, ownTerms, this::rulesOf, filter).all();
    }

    private OwnRules rulesOf(PodInfo pod) {
        return compiledRules.get(pod.shape().affinity());
    }

    /**
     * The terms of pods in place that match the pod being scheduled: asked for at every extension point, looked up once,
     * and again only after terms or namespaces have changed.
     */
    private static final class MatchingTerms {
        private final CarriedTerms carried;
        private @Nullable PodInfo pod;
        private long version;
        private List<CarriedTerm> terms = List.of();

        MatchingTerms(CarriedTerms carried) {
            this.carried = carried;
        }

        List<CarriedTerm> of(PodInfo asked) {
            if (carried.isEmpty()) {
                return List.of();
            }
            if (version != carried.version() || !asked.equals(pod)) {
                terms = carried.matching(asked.pod().namespace(), asked.pod().labels());
                version = carried.version();
                pod = asked;
            }
            return terms;
        }
    }
}
