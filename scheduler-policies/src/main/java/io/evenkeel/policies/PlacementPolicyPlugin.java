package io.evenkeel.policies;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.RemarkingPlugin;
import io.evenkeel.api.StateKey;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.OutweighingPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.TreeFactory;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Labels;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Keeps the limits of the PlacementPolicies that are about a pod: how many of its pods a domain may have, how many domains may have
 * some, which must, and by which weights; by soft rules it prefers nodes. A pod that no policy is about is none of its business.
 */
public final class PlacementPolicyPlugin
        implements PreFilterPlugin,
                BatchFilterPlugin,
                DryRunPlugin,
                PreScorePlugin,
                BatchScorePlugin,
                OutweighingPlugin,
                WakeUpPlugin,
                RemarkingPlugin,
                ExplainingPlugin {
    public static final String NAME = "PlacementPolicy";

    /** So much that a soft rule comes before all that others prefer, if the weights of these add up to less than a hundredth. */
    private static final int DEFAULT_WEIGHT = 10_000;

    private record Governing(List<BoundPolicy> policies) {}

    private final ClusterView cluster;
    private final PolicyBook book;
    private final StateKey<Governing> governing = new StateKey<>(NAME, Governing.class);
    private final PolicyFilter filter;
    private final PolicyScore score;

    /** Found by a {@link java.util.ServiceLoader}. */
    public static final class Factory extends TreeFactory<PlacementPolicyPlugin> {
        public Factory() {
            super(NAME, PlacementPolicyPlugin.class, DEFAULT_WEIGHT, PlacementPolicyPlugin::new);
        }
    }

    PlacementPolicyPlugin(TreeContext context) {
        cluster = context.cluster();
        filter = new PolicyFilter(cluster);
        book = PolicyBook.of(cluster);
        score = new PolicyScore(cluster);
    }

    /** The names of the profiles that enable it. */
    public static List<String> profilesIn(SchedulerConfiguration configuration) {
        return configuration.profiles().stream()
                .filter(profile -> profile.plugins().enabledNames().contains(NAME))
                .map(Profile::schedulerName)
                .toList();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Kind<?>> reads() {
        return Set.of(Kinds.PLACEMENT_POLICY, Kinds.CLUSTER_PLACEMENT_POLICY);
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        List<BoundPolicy> policies = book.governing(pod.pod());
        if (policies.isEmpty()) {
            return PreFilterResult.SKIP;
        }
        Optional<Status> fault = faultOf(policies);
        if (fault.isPresent()) {
            return new PreFilterResult.Rejected(fault.get());
        }
        state.put(governing, new Governing(policies));
        return haveHardRules(policies) ? PreFilterResult.PROCEED : PreFilterResult.SKIP;
    }

    private static boolean haveHardRules(List<BoundPolicy> policies) {
        for (int i = 0; i < policies.size(); i++) {
            if (policies.get(i).hasHardRules()) {
                return true;
            }
        }
        return false;
    }

    private static Optional<Status> faultOf(List<BoundPolicy> policies) {
        return policies.stream().flatMap(policy -> policy.refusal().stream()).findFirst();
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        List<BoundPolicy> policies = governing(state, pod);
        Optional<Status> fault = unaskedAndFaulty(state, policies);
        if (fault.isPresent()) {
            rejections.keepOnly(candidates, NodeSetView.NONE, fault.get());
        } else {
            filter.filter(policies, pod, candidates, rejections);
        }
    }

    private Optional<Status> unaskedAndFaulty(CycleState state, List<BoundPolicy> policies) {
        return state.find(governing).isPresent() ? Optional.empty() : faultOf(policies);
    }

    @Override
    public Status filter(CycleState state, PendingPod waiting, NodeInfo node) {
        PodInfo pod = PodInfo.of(waiting);
        List<BoundPolicy> policies = governing(state, pod);
        return unaskedAndFaulty(state, policies)
                .orElseGet(() -> PolicyFilter.filterOne(policies, pod, LiveNode.idOf(node)));
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        List<BoundPolicy> policies = book.governing(pod.pod());
        return faultOf(policies)
                .map(fault -> FilterDryRun.ofPodAlone(_ -> fault))
                .orElseGet(
                        () -> haveHardRules(policies) ? new PolicyDryRun(cluster, policies, pod) : FilterDryRun.PASSES);
    }

    @Override
    public Status preScore(CycleState state, PendingPod waiting, Collection<NodeInfo> feasible) {
        PodInfo pod = PodInfo.of(waiting);
        List<BoundPolicy> policies = governing(state, pod);
        for (int i = 0; i < policies.size(); i++) {
            if (policies.get(i).hasSoftRules() || policies.get(i).isRelaxed()) {
                return Status.SUCCESS;
            }
        }
        return Status.SKIP;
    }

    @Override
    public void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        score.score(governing(state, pod), pod, feasible, scores);
    }

    /** A profile may have the plugin filter or score without asking it before. */
    private List<BoundPolicy> governing(CycleState state, PodInfo pod) {
        return state.find(governing).map(Governing::policies).orElseGet(() -> book.governing(pod.pod()));
    }

    @Override
    public List<PodCondition> remarks(CycleState state, PendingPod waiting, String nodeName) {
        PodInfo pod = PodInfo.of(waiting);
        return YieldRemarks.of(governing(state, pod), pod, cluster.nodes().find(nodeName));
    }

    @Override
    public List<WakeUp> wakeUps() {
        return new PolicyWakeUps(cluster, book).all();
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return Stream.concat(
                        book.governing(pod.pod()).stream()
                                .flatMap(policy -> Stream.concat(
                                        Stream.of(PolicyAnswers.about(policy)),
                                        rules(policy, pod)
                                                .flatMap(rule -> PolicyAnswers.accounts(rule, pod).stream()))),
                        PolicyAnswers.leftOut(book.leftOut(pod.pod())).stream())
                .toList();
    }

    @Override
    public List<Account> rulesInForce(PodInfo pod) {
        return accounts(pod);
    }

    @Override
    public List<Labels> labelsOfNewNodes(PodInfo pod) {
        return rules(pod)
                .filter(bound -> bound.rule().isHard())
                .flatMap(rule -> PolicyAnswers.labelsOfNewNodes(rule, pod).stream())
                .toList();
    }

    private Stream<BoundRule> rules(PodInfo pod) {
        return book.governing(pod.pod()).stream().flatMap(policy -> rules(policy, pod));
    }

    private static Stream<BoundRule> rules(BoundPolicy policy, PodInfo pod) {
        return Stream.concat(policy.hardRules(pod.pod()).stream(), policy.softRules(pod.pod()).stream());
    }

    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return PolicyAnswers.remedies(book.governing(pod.pod()), pod, node);
    }

    /**
     * Prefers the nodes where a pod would exceed the skew of the soft rules least, and before that the one of rules that yield, in the order
     * of policies and rules. All that are within a rule's skew are alike to it.
     */
    private static final class PolicyScore {
        private final ClusterView cluster;
        private final SoftRanks ranks = new SoftRanks();
        private final Topology.Column column = new Topology.Column();

        PolicyScore(ClusterView cluster) {
            this.cluster = cluster;
        }

        void score(List<BoundPolicy> policies, PodInfo pod, NodeSet feasible, NodeScores scores) {
            int end = cluster.nodes().end();
            ranks.begin(feasible, end);
            for (int i = 0; i < policies.size(); i++) {
                if (policies.get(i).isRelaxed()) {
                    preferStrictly(policies.get(i).hardRules(pod.pod()), pod, end);
                }
                List<BoundRule> rules = policies.get(i).softRules(pod.pod());
                for (int j = 0; j < rules.size(); j++) {
                    refine(rules.get(j).bounds(pod.shape()), end);
                }
            }
            ranks.score(scores);
        }

        /**
         * A domain that is not waited for takes some of the pods nevertheless, such as smaller ones, or has room again: they go there
         * first. The others are as even as they can be.
         */
        private void preferStrictly(List<BoundRule> rules, PodInfo pod, int end) {
            for (int i = 0; i < rules.size(); i++) {
                BoundRule rule = rules.get(i);
                if (!rule.relaxed().isEmpty()) {
                    refine(rule.strictBounds(pod.shape()), end);
                }
            }
        }

        private void refine(RuleBounds bounds, int end) {
            DomainCounter open = bounds.open();
            ranks.refine(column.of(open.topology(), end), open.sums(), bounds.mostBySkew());
        }
    }
}
