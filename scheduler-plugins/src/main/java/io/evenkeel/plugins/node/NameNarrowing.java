package io.evenkeel.plugins.node;

import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The nodes that a required node affinity names. DaemonSet pods are placed that way, one name each. */
final class NameNarrowing {
    private NameNarrowing() {}

    /**
     * The names that come into question: in each term what all of its {@code metadata.name In} have in common, over the
     * terms their union. Empty where some term names nothing, for any node may match that one, and where there is no
     * term at all.
     */
    static Optional<Set<String>> of(NodeAffinity affinity) {
        List<NodeSelectorTerm> terms =
                affinity.required().map(required -> required.terms()).orElse(List.of());
        Set<String> names = new TreeSet<>();
        for (NodeSelectorTerm term : terms) {
            Optional<Set<String>> named = namedBy(term);
            if (named.isEmpty()) {
                return Optional.empty();
            }
            names.addAll(named.get());
        }
        return terms.isEmpty() ? Optional.empty() : Optional.of(names);
    }

    private static Optional<Set<String>> namedBy(NodeSelectorTerm term) {
        Optional<Set<String>> common = Optional.empty();
        for (NodeSelectorRequirement field : term.matchFields()) {
            if (field.key().equals(NodeSelectorTerm.NAME_FIELD)
                    && field.operator() == NodeSelectorRequirement.Operator.IN) {
                Set<String> names = new TreeSet<>(field.values());
                common.ifPresent(names::retainAll);
                common = Optional.of(names);
            }
        }
        return common;
    }
}
