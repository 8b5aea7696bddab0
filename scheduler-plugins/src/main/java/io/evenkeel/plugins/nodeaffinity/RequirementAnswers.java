package io.evenkeel.plugins.nodeaffinity;

import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.framework.remedy.Change;
import io.evenkeel.framework.remedy.NodeAffinityDropped;
import io.evenkeel.framework.remedy.NodeSelectorDropped;
import io.evenkeel.framework.why.Account;
import io.evenkeel.model.Node;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** What NodeAffinity says of a pod that asks for other nodes: how many there are of what it asks for, part by part. */
final class RequirementAnswers {
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

    /** Without all that the node does not meet. */
    static List<List<Change>> remedies(NodeRequirement requirement, Node node) {
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
        return dropped.isEmpty() ? List.of() : List.of(dropped);
    }
}
