package io.evenkeel.cluster.shape;

import io.evenkeel.cluster.index.Work;
import io.evenkeel.model.Node;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.value.Labels;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** A requirement of a pod on nodes: its nodeSelector and its required node affinity must both hold. */
public record NodeRequirement(Labels nodeSelector, NodeAffinity affinity) {
    /** Terms that are sooner compared than filed. */
    public static final int FEW_TERMS = 16;

    public static final NodeRequirement NONE = new NodeRequirement(Labels.EMPTY, NodeAffinity.NONE);

    static final FacetKind<NodeRequirement> KIND = new FacetKind<>("node requirement", (pod, _) -> of(pod.spec()));

    private static NodeRequirement of(PodSpec spec) {
        NodeAffinity affinity = spec.nodeAffinity();
        return spec.nodeSelector().size() == 0
                        && affinity.required().isEmpty()
                        && affinity.preferred().isEmpty()
                ? NONE
                : new NodeRequirement(spec.nodeSelector(), affinity);
    }

    public boolean isUnrestricted() {
        return nodeSelector.size() == 0 && affinity.required().isEmpty();
    }

    /** Returns the requirement, for callers whom preferences do not concern. */
    public NodeRequirement withoutPreferences() {
        return affinity.preferred().isEmpty()
                ? this
                : new NodeRequirement(nodeSelector, new NodeAffinity(affinity.required(), List.of()));
    }

    /** Returns the part that decides where a pod may be: pods that differ in preferences share counters. */
    public NodeRequirement required() {
        return isUnrestricted() ? NONE : withoutPreferences();
    }

    /** Whether some node might match that has this value of the label, whatever else it is like. */
    public boolean allows(String label, String value) {
        return nodeSelector.getOrDefault(label, value).equals(value)
                && affinity.required()
                        .map(selector -> selector.allows(label, value))
                        .orElse(true);
    }

    /** {@link #matches} for many nodes. */
    public Predicate<Node> matcher(Work work) {
        List<NodeSelectorTerm> terms =
                affinity.required().map(NodeSelector::terms).orElse(List.of());
        if (terms.size() <= FEW_TERMS) {
            return this::matches;
        }
        int[] weights = new int[terms.size()];
        Arrays.fill(weights, 1);
        FiledTerms filed = new FiledTerms(terms, weights, work);
        return node -> node.labels().hasAll(nodeSelector) && filed.worth(node.labels(), node.name()) > 0;
    }

    public boolean matches(Node node) {
        return node.labels().hasAll(nodeSelector)
                && (affinity.required().isEmpty() || affinity.required().get().matches(node.labels(), node.name()));
    }
}
