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
import io.evenkeel.cluster.node.DerivedMask;
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
import io.evenkeel.framework.why.NodeChange.NodeLabelled;
import io.evenkeel.framework.why.PodChange.NodeAffinityDropped;
import io.evenkeel.framework.why.PodChange.NodeSelectorDropped;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.LackingLabels;
import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.value.Labels;
import io.evenkeel.problem.NearestName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
            rejections.keepOnly(candidates, added.enforced().get(), NOT_ENFORCED);
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
                whenNodeBeginsToPass(
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

    /** Explains NodeAffinity to a pod that asks for other nodes: how many there are of what it asks for, part by part. */
    private static final class RequirementAnswers {
        private static final int MOST_PARTS = 16;
        private static final int MOST_VALUES = 5;

        /** Among nodes that need as many changes. */
        private static final double NOT_BY_LABELS = 0.5;

        private RequirementAnswers() {}

        static List<Account> accounts(NodeRequirement requirement, NodeTable nodes) {
            List<Account> accounts = new ArrayList<>();
            LabelsThere there = new LabelsThere(nodes);
            Labels selector = requirement.nodeSelector();
            for (int i = 0; i < selector.size(); i++) {
                String key = selector.keyAt(i);
                String value = selector.valueAt(i);
                String text = "nodeSelector " + key + "=" + value;
                long having = count(nodes, node -> node.labels().has(key, value));
                accounts.add(
                        having == 0 && i < MOST_PARTS
                                ? there.mistake(text, key, List.of(value))
                                : new Account.Words(there.counted(text, having)));
            }
            requirement.affinity().required().ifPresent(required -> {
                long matching = count(nodes, node -> required.matches(node.labels(), node.name()));
                accounts.add(new Account.Words(there.counted("required node affinity", matching)));
                required.terms().stream()
                        .flatMap(term -> term.matchExpressions().stream())
                        .distinct()
                        .limit(MOST_PARTS)
                        .forEach(part -> accounts.add(ofPart(part, matching == 0, there)));
            });
            return accounts;
        }

        private static Account ofPart(NodeSelectorRequirement part, boolean isAllInVain, LabelsThere there) {
            String text = "required node affinity, part " + Excerpt.of(part.text());
            long passing = count(there.nodes, node -> part.matches(node.labels()));
            return passing == 0 && isAllInVain && part.operator() == Operator.IN
                    ? there.mistake(text, part.key(), part.values())
                    : new Account.Words(there.counted(text, passing));
        }

        /** The labels of all nodes, for what a pod asks for in vain. */
        private static final class LabelsThere {
            private final NodeTable nodes;
            private final SortedMap<String, SortedSet<String>> values = new TreeMap<>();

            LabelsThere(NodeTable nodes) {
                this.nodes = nodes;
            }

            String counted(String text, long nodesThatDo) {
                return text + ": " + nodesThatDo + " of " + nodes.count() + " nodes";
            }

            Account mistake(String text, String key, List<String> asked) {
                String counted = counted(text, 0);
                if (values.isEmpty()) {
                    count(nodes, node -> {
                        node.labels()
                                .asMap()
                                .forEach((name, value) -> values.computeIfAbsent(name, _ -> new TreeSet<>())
                                        .add(value));
                        return false;
                    });
                }
                SortedSet<String> others = values.getOrDefault(key, Collections.emptySortedSet());
                if (others.isEmpty()) {
                    return Account.Mistake.of(
                            counted + "; no node has this label", NearestName.hint(key, values.keySet()));
                }
                int more = others.size() - MOST_VALUES;
                return Account.Mistake.of(
                        counted + "; nodes have "
                                + others.stream().limit(MOST_VALUES).collect(Collectors.joining(", "))
                                + (more > 0 ? " and " + more + " more" : ""),
                        asked.stream()
                                .limit(MOST_VALUES)
                                .map(value -> NearestName.hint(value, others))
                                .filter(hint -> !hint.isEmpty())
                                .findFirst()
                                .orElse(""));
            }
        }

        private static long count(NodeTable nodes, Predicate<Node> test) {
            return IntStream.range(0, nodes.end())
                    .filter(node -> nodes.isPresent(node) && test.test(nodes.node(node)))
                    .count();
        }

        /** The fewest labels by which the node meets all, if labels do; or without all that it does not meet. */
        static List<List<Change>> remedies(NodeRequirement requirement, Node node) {
            List<List<Change>> ways = new ArrayList<>();
            lacking(requirement, node.labels(), node.name())
                    .ifPresent(lacking -> ways.add(lacking.asMap().entrySet().stream()
                            .<Change>map(label -> new NodeLabelled(node.name(), label.getKey(), label.getValue()))
                            .toList()));
            ways.add(dropped(requirement, node));
            ways.removeIf(List::isEmpty);
            return ways;
        }

        /** How many changes it takes; labels go before what is dropped, as more nodes may do then. */
        static double distance(NodeRequirement requirement, Node node) {
            return lacking(requirement, node.labels(), node.name())
                    .map(lacking -> (double) lacking.size())
                    .orElseGet(() -> dropped(requirement, node).size() + NOT_BY_LABELS);
        }

        /** Labels that a bare node may need to be let through: of the nodeSelector, and of one of the terms. */
        static List<Labels> ofNewNodes(NodeRequirement requirement) {
            Labels selector = requirement.nodeSelector();
            if (selector.has(Node.HOSTNAME)) {
                return List.of();
            }
            return requirement
                    .affinity()
                    .required()
                    .map(required -> required.terms().stream()
                            .flatMap(term -> lacking(selector, new NodeSelector(List.of(term)), "").stream())
                            .distinct()
                            .toList())
                    .orElseGet(() -> selector.size() == 0 ? List.of() : List.of(selector));
        }

        /** Empty where no labels do: what a node says of itself is not changed. */
        private static Optional<Labels> lacking(NodeRequirement requirement, Labels labels, String name) {
            Labels selector = requirement.nodeSelector();
            Labels lacking = selector.retain(key -> !labels.has(key, selector.getOrDefault(key, "")));
            for (int i = 0; i < lacking.size(); i++) {
                if (labels.has(lacking.keyAt(i)) || lacking.keyAt(i).equals(Node.HOSTNAME)) {
                    return Optional.empty();
                }
            }
            return requirement
                    .affinity()
                    .required()
                    .map(required -> LackingLabels.of(required, labels.withAll(lacking), name)
                            .map(more -> lacking.withAll(more)))
                    .orElse(Optional.of(lacking));
        }

        private static Optional<Labels> lacking(Labels selector, NodeSelector required, String name) {
            return LackingLabels.of(required, selector, name).map(more -> selector.withAll(more));
        }

        private static List<Change> dropped(NodeRequirement requirement, Node node) {
            List<Change> dropped = new ArrayList<>();
            Labels selector = requirement.nodeSelector();
            for (int i = 0; i < selector.size(); i++) {
                if (!node.labels().has(selector.keyAt(i), selector.valueAt(i))) {
                    dropped.add(new NodeSelectorDropped(selector.keyAt(i), selector.valueAt(i)));
                }
            }
            if (requirement
                    .affinity()
                    .required()
                    .filter(required -> !required.matches(node.labels(), node.name()))
                    .isPresent()) {
                dropped.add(new NodeAffinityDropped());
            }
            return dropped;
        }
    }

    /**
     * The node affinity that a profile gives to all of its pods.
     *
     * @param enforced the nodes that match {@code required}
     */
    private record AddedAffinity(
            Optional<NodeSelector> required, Optional<DerivedMask> enforced, List<PreferredSchedulingTerm> preferred) {

        static AddedAffinity of(NodeAffinityArgs args, ClusterView cluster) {
            Optional<NodeSelector> required = args.addedAffinity().flatMap(added -> added.required());
            return new AddedAffinity(
                    required,
                    required.map(selector -> cluster.derivations()
                            .maskOverNodes(
                                    node -> matches(selector, cluster.nodes().node(node)))),
                    args.addedAffinity().map(added -> added.preferred()).orElse(List.of()));
        }

        boolean admits(Node node) {
            return required.isEmpty() || matches(required.get(), node);
        }

        private static boolean matches(NodeSelector selector, Node node) {
            return selector.matches(node.labels(), node.name());
        }
    }
}
