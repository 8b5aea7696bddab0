package io.evenkeel.plugins;

import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.NodeChange.NodeLabelled;
import io.evenkeel.framework.why.PodChange.NodeAffinityDropped;
import io.evenkeel.framework.why.PodChange.NodeSelectorDropped;
import io.evenkeel.model.Node;
import io.evenkeel.model.constraint.LackingLabels;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Explains NodeAffinity to a pod that asks for other nodes: how many there are of what it asks for, part by part. */
final class RequirementAnswers {
    /** Among nodes that need as many changes. */
    private static final double NOT_BY_LABELS = 0.5;

    private RequirementAnswers() {}

    static List<Account> accounts(NodeRequirement requirement, NodeTable nodes) {
        List<Account> accounts = new ArrayList<>();
        Labels selector = requirement.nodeSelector();
        for (int i = 0; i < selector.size(); i++) {
            String key = selector.keyAt(i);
            String value = selector.valueAt(i);
            accounts.add(new Account.Words("nodeSelector " + key + "=" + value + ": "
                    + count(nodes, node -> node.labels().has(key, value)) + " of " + nodes.count() + " nodes"));
        }
        requirement
                .affinity()
                .required()
                .ifPresent(required -> accounts.add(new Account.Words("required node affinity: "
                        + count(nodes, node -> required.matches(node.labels(), node.name())) + " of " + nodes.count()
                        + " nodes")));
        return accounts;
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
