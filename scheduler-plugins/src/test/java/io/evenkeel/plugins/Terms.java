package io.evenkeel.plugins;

import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Node affinity in few words. */
final class Terms {
    private Terms() {}

    static NodeAffinity requiring(NodeSelectorTerm... terms) {
        return new NodeAffinity(Optional.of(new NodeSelector(List.of(terms))), List.of());
    }

    static NodeAffinity preferring(PreferredSchedulingTerm... terms) {
        return new NodeAffinity(Optional.empty(), List.of(terms));
    }

    static PreferredSchedulingTerm worth(int weight, NodeSelectorTerm term) {
        return new PreferredSchedulingTerm(weight, term);
    }

    static NodeSelectorTerm term(NodeSelectorRequirement... expressions) {
        return new NodeSelectorTerm(List.of(expressions), List.of());
    }

    static NodeSelectorRequirement in(String key, String... values) {
        return new NodeSelectorRequirement(key, Operator.IN, List.of(values));
    }

    /** A term that demands each of the names, so that more than one is a contradiction. */
    static NodeSelectorTerm named(String... names) {
        return new NodeSelectorTerm(
                List.of(),
                Stream.of(names).map(name -> field(Operator.IN, name)).toList());
    }

    static NodeSelectorTerm notNamed(String name) {
        return new NodeSelectorTerm(List.of(), List.of(field(Operator.NOT_IN, name)));
    }

    static NodeSelectorRequirement field(Operator operator, String name) {
        return new NodeSelectorRequirement(NodeSelectorTerm.NAME_FIELD, operator, List.of(name));
    }
}
