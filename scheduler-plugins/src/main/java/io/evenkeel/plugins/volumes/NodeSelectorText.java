package io.evenkeel.plugins.volumes;

import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import java.util.stream.Collectors;

/** Selectors of nodes as people read them: {@code zone=a and disk in (ssd, nvme), or rack=7}. */
public final class NodeSelectorText {
    private NodeSelectorText() {}

    /** As far as labels go: in volumes, fields count for nothing. */
    public static String of(NodeSelector selector) {
        return selector.terms().stream().map(NodeSelectorText::of).collect(Collectors.joining(", or "));
    }

    private static String of(NodeSelectorTerm term) {
        return term.matchExpressions().stream().map(NodeSelectorText::of).collect(Collectors.joining(" and "));
    }

    private static String of(NodeSelectorRequirement requirement) {
        String key = requirement.key();
        String values = String.join(", ", requirement.values());
        return switch (requirement.operator()) {
            case IN -> requirement.values().size() == 1 ? key + "=" + values : key + " in (" + values + ")";
            case NOT_IN -> key + " not in (" + values + ")";
            case EXISTS -> key;
            case DOES_NOT_EXIST -> "no " + key;
            case GT -> key + " > " + values;
            case LT -> key + " < " + values;
        };
    }
}
