package io.evenkeel.config.write;

import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PreferredSchedulingTerm;
import java.util.List;

/** A node affinity as it is written. */
final class NodeAffinityTree {
    private NodeAffinityTree() {}

    static Tree of(NodeAffinity affinity) {
        return new Tree()
                .putPresent(
                        "requiredDuringSchedulingIgnoredDuringExecution",
                        affinity.required().map(NodeAffinityTree::selector))
                .put(
                        "preferredDuringSchedulingIgnoredDuringExecution",
                        affinity.preferred(),
                        NodeAffinityTree::preferred);
    }

    /** The list is written even where it is empty: a selector without terms matches nothing. */
    private static Tree selector(NodeSelector selector) {
        return new Tree()
                .put("nodeSelectorTerms", List.of())
                .put("nodeSelectorTerms", selector.terms(), NodeAffinityTree::term);
    }

    private static Tree preferred(PreferredSchedulingTerm preferred) {
        return new Tree().put("weight", preferred.weight()).put("preference", term(preferred.preference()));
    }

    private static Tree term(NodeSelectorTerm term) {
        return new Tree()
                .put("matchExpressions", term.matchExpressions(), NodeAffinityTree::requirement)
                .put("matchFields", term.matchFields(), NodeAffinityTree::requirement);
    }

    private static Tree requirement(NodeSelectorRequirement requirement) {
        return new Tree()
                .put("key", requirement.key())
                .put("operator", requirement.operator().apiName())
                .putNonEmpty("values", requirement.values());
    }
}
