package io.evenkeel.model.policy;

import io.evenkeel.model.value.LabelSelector;
import java.util.List;

/**
 * What a policy asks for.
 *
 * @param selector of the pods that it is about; {@link LabelSelector#NOTHING} where absent
 * @param namespaceSelector of the namespaces whose pods are counted; {@link LabelSelector#NOTHING} where absent
 * @param rules all of which are kept
 */
public record PolicySpec(LabelSelector selector, LabelSelector namespaceSelector, List<PolicyRule> rules) {
    public static final PolicySpec NONE = new PolicySpec(LabelSelector.NOTHING, LabelSelector.NOTHING, List.of());

    public PolicySpec {
        rules = List.copyOf(rules);
    }
}
