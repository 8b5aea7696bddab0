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
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.counting.Topology;
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
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinityTerm;
import java.util.Arrays;
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

    /**
     * Follows who is left in the domains of a node of those whom the pod wants to be with, of those whom it shuns and of those who
     * shun it. The rules are asked in the order of {@link AffinityFilter}. Where there is nothing to follow, as no rule restricts
     * the pod, nominated pods that shun it are not noticed, as by the reference.
     */
    private static final class AffinityDryRun implements FilterDryRun {
        private final ClusterView cluster;
        private final Pod pod;
        private final boolean isOwnCompanion;
        /** The pods that the pod's own rules are about: of its affinity, then of each term of its anti-affinity. */
        private final List<SelectorGroup> groups;

        private final int affinities;
        private final int ownRules;
        private final List<CarriedTerm> shunning;
        /** Of own affinity, of own anti-affinity, of the terms of pods in place. */
        private final DomainCounter[] counters;
        /** By counter, what those had in it who have left the node, less what those would have who are nominated to it. */
        private final int[] left;

        private int node;
        private boolean isShunnedByNominated;

        AffinityDryRun(ClusterView cluster, Pod pod, OwnRules own, List<CarriedTerm> met) {
            this.cluster = cluster;
            this.pod = pod;
            isOwnCompanion = own.companions()
                    .filter(companions -> cluster.selectors().selects(companions, pod.namespace(), pod.labels()))
                    .isPresent();
            groups = own.groups();
            affinities = own.affinity().size();
            ownRules = affinities + own.antiAffinity().size();
            shunning = met.stream().filter(AffinityFilter::keepsOut).toList();
            counters = new DomainCounter[ownRules + shunning.size()];
            left = new int[counters.length];
            for (int i = 0; i < counters.length; i++) {
                counters[i] = i < affinities
                        ? own.affinity().get(i)
                        : i < ownRules
                                ? own.antiAffinity().get(i - affinities)
                                : shunning.get(i - ownRules).counter();
            }
        }

        @Override
        public boolean isAlike() {
            return true;
        }

        @Override
        public boolean begin(int begun) {
            node = begun;
            cluster.work().add(counters.length);
            isShunnedByNominated = false;
            Arrays.fill(left, 0);
            boolean counts = false;
            for (DomainCounter counter : counters) {
                counts |=
                        counter.eligibility().includes(node) && counter.tally().countOn(node) != 0;
            }
            return counts && !(affinities == 0 && verdict().isSuccess());
        }

        @Override
        public boolean addNominated(PodInfo nominated) {
            Pod other = nominated.pod();
            for (int i = 0; i < ownRules; i++) {
                SelectorGroup group = groups.get(i < affinities ? 0 : i - affinities + Math.min(affinities, 1));
                if (counters[i].eligibility().includes(node)
                        && cluster.selectors().selects(group.key(), other.namespace(), other.labels())) {
                    left[i]--;
                }
            }
            isShunnedByNominated |=
                    other.spec().podAffinity().requiredAntiAffinity().stream().anyMatch(term -> shuns(other, term));
            return true;
        }

        private boolean shuns(Pod other, PodAffinityTerm term) {
            return cluster.nodes().node(node).labels().has(term.topologyKey())
                    && PodMatch.of(term, other.namespace())
                            .matches(pod.namespace(), pod.labels(), cluster.namespaces());
        }

        @Override
        public Status verdict() {
            cluster.work().add(counters.length);
            if (affinities > 0 && !hasCompanions()) {
                return AffinityFilter.LACKS_COMPANIONS;
            }
            for (int i = affinities; i < counters.length; i++) {
                if (isOccupied(i)) {
                    return i < ownRules ? AffinityFilter.HAS_SHUNNED_PODS : AffinityFilter.SHUNNED_BY_PODS;
                }
            }
            return isShunnedByNominated ? AffinityFilter.SHUNNED_BY_PODS : Status.SUCCESS;
        }

        private boolean hasCompanions() {
            boolean isFirst = isOwnCompanion;
            for (int i = 0; i < affinities; i++) {
                isFirst &= counters[i].total() <= left[i];
            }
            for (int i = 0; i < affinities; i++) {
                boolean hasKey = counters[i].topology().domainOf(node) != Topology.NO_DOMAIN;
                if (!hasKey || !(isFirst || isOccupied(i))) {
                    return false;
                }
            }
            return true;
        }

        private boolean isOccupied(int i) {
            int domain = counters[i].topology().domainOf(node);
            return domain != Topology.NO_DOMAIN && counters[i].sumOf(domain) > left[i];
        }

        @Override
        public void count(int row, int more) {
            for (int i = 0; i < counters.length; i++) {
                if (counters[i].eligibility().includes(node)) {
                    left[i] -= more * weightOf(row, i);
                }
            }
        }

        private int weightOf(int row, int i) {
            return i < ownRules
                    ? cluster.selectors().isCounted(row, counters[i].tally()) ? 1 : 0
                    : cluster.carriedTerms().weightOf(row, shunning.get(i - ownRules));
        }
    }
}
