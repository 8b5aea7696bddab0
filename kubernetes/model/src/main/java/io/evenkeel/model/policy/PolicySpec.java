package io.evenkeel.model.policy;

import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.NamedConstant;
import java.util.List;

/**
 * The demands of a policy.
 *
 * @param selector of the pods that it is about; {@link LabelSelector#NOTHING} where absent
 * @param namespaceSelector of the namespaces whose pods are counted; {@link LabelSelector#NOTHING} where absent
 * @param countNamespaces whether pods of several namespaces are counted as if they were of one
 * @param rules all are kept
 */
public record PolicySpec(
        LabelSelector selector,
        LabelSelector namespaceSelector,
        NamespaceCounting countNamespaces,
        LeavingPods leavingPods,
        PodDeletionCost podDeletionCost,
        List<PolicyRule> rules) {
    public static final PolicySpec NONE = of(LabelSelector.NOTHING, List.of());

    public PolicySpec {
        rules = List.copyOf(rules);
    }

    /** Whether a pod counts the policy's pods of all namespaces, or only of its own. */
    public enum NamespaceCounting implements NamedConstant {
        TOGETHER,
        SEPARATELY
    }

    /** Whether pods count that are about to leave: on a cordoned node, or marked as a target of disruption. */
    public enum LeavingPods implements NamedConstant {
        COUNT,
        IGNORE
    }

    /** Whether pods are told by an annotation in which order a ReplicaSet that is scaled down deletes them. */
    public enum PodDeletionCost implements NamedConstant {
        UNMANAGED,
        MANAGED
    }

    /** One that counts no other namespace's pods. */
    public static PolicySpec of(LabelSelector selector, List<PolicyRule> rules) {
        return new PolicySpec(
                selector,
                LabelSelector.NOTHING,
                NamespaceCounting.TOGETHER,
                LeavingPods.COUNT,
                PodDeletionCost.UNMANAGED,
                rules);
    }

    public PolicySpec over(LabelSelector namespaces) {
        return new PolicySpec(selector, namespaces, countNamespaces, leavingPods, podDeletionCost, rules);
    }

    public PolicySpec with(List<PolicyRule> others) {
        return new PolicySpec(selector, namespaceSelector, countNamespaces, leavingPods, podDeletionCost, others);
    }

    public PolicySpec with(NamespaceCounting counting) {
        return new PolicySpec(selector, namespaceSelector, counting, leavingPods, podDeletionCost, rules);
    }

    public PolicySpec with(LeavingPods leaving) {
        return new PolicySpec(selector, namespaceSelector, countNamespaces, leaving, podDeletionCost, rules);
    }

    public PolicySpec with(PodDeletionCost cost) {
        return new PolicySpec(selector, namespaceSelector, countNamespaces, leavingPods, cost, rules);
    }
}
