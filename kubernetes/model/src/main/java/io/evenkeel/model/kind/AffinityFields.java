package io.evenkeel.model.kind;

import static io.evenkeel.model.kind.SelectorFields.SELECTOR;

import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinity.WeightedPodAffinityTerm;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.NamedConstant;
import io.evenkeel.model.value.ValueSet;
import java.util.List;

/**
 * A pod's {@code affinity}. The terms' {@code matchLabelKeys} and {@code mismatchLabelKeys} are not read: the API server
 * has already merged them into the labelSelector.
 */
final class AffinityFields {
    static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    record Affinity(NodeAffinity nodes, PodAffinity pods) {
        static final Affinity NONE = new Affinity(NodeAffinity.NONE, PodAffinity.NONE);

        private Terms near() {
            return new Terms(pods.requiredAffinity(), pods.preferredAffinity());
        }

        private Terms apart() {
            return new Terms(pods.requiredAntiAffinity(), pods.preferredAntiAffinity());
        }
    }

    /** The fields that podAffinity and podAntiAffinity have in common. */
    private record Terms(List<PodAffinityTerm> required, List<WeightedPodAffinityTerm> preferred) {
        static final Terms NONE = new Terms(List.of(), List.of());
    }

    private static final Message<PodAffinityTerm> TERM = Message.of(fields -> {
        var labelSelector = fields.message("labelSelector", 1, SELECTOR, LabelSelector.NOTHING)
                .from(PodAffinityTerm::labelSelector);
        var namespaces = fields.values("namespaces", 2).from(PodAffinityTerm::namespaces);
        var topologyKey = fields.requiredString("topologyKey", 3).from(PodAffinityTerm::topologyKey);
        var namespaceSelector = fields.message("namespaceSelector", 4, SELECTOR, LabelSelector.NOTHING)
                .from(PodAffinityTerm::namespaceSelector);
        return read -> new PodAffinityTerm(
                read.get(labelSelector),
                read.get(topologyKey),
                ValueSet.sorted(read.get(namespaces)),
                read.get(namespaceSelector));
    });

    private static final Message<WeightedPodAffinityTerm> WEIGHTED_TERM = Message.of(fields -> {
        var weight = fields.int32("weight", 1, 0).from(WeightedPodAffinityTerm::weight);
        var term = fields.message("podAffinityTerm", 2, TERM).from(WeightedPodAffinityTerm::term);
        return read -> new WeightedPodAffinityTerm(read.get(weight), read.get(term));
    });

    private static final Message<Terms> TERMS = Message.of(fields -> {
        var required = fields.list(REQUIRED, 1, TERM).from(Terms::required);
        var preferred = fields.list(PREFERRED, 2, WEIGHTED_TERM).from(Terms::preferred);
        return read -> new Terms(read.get(required), read.get(preferred));
    });

    static final Message<Affinity> AFFINITY = Message.of(fields -> {
        var nodes = fields.message("nodeAffinity", 1, NodeAffinityFields.NODE_AFFINITY, NodeAffinity.NONE)
                .from(Affinity::nodes);
        var near = fields.message("podAffinity", 2, TERMS, Terms.NONE).from(Affinity::near);
        var apart = fields.message("podAntiAffinity", 3, TERMS, Terms.NONE).from(Affinity::apart);
        return read -> new Affinity(read.get(nodes), together(read.get(near), read.get(apart)));
    });

    private AffinityFields() {}

    private static PodAffinity together(Terms near, Terms apart) {
        PodAffinity affinity = new PodAffinity(near.required(), near.preferred(), apart.required(), apart.preferred());
        return affinity.isNone() ? PodAffinity.NONE : affinity;
    }

    /** A pod's {@code nodeAffinity}, and selectors of nodes. */
    static final class NodeAffinityFields {
        private static final Message<NodeSelectorRequirement> REQUIREMENT = Message.of(fields -> {
            var key = fields.string("key", 1).from(NodeSelectorRequirement::key);
            var operator = fields.constant("operator", 2, NamedConstant.byName(NodeSelectorRequirement.Operator.class))
                    .from(NodeSelectorRequirement::operator);
            var values = fields.values("values", 3).from(NodeSelectorRequirement::values);
            return read -> new NodeSelectorRequirement(read.get(key), read.get(operator), read.get(values));
        });

        private static final Message<NodeSelectorTerm> TERM = Message.of(fields -> {
            var matchExpressions =
                    fields.list("matchExpressions", 1, REQUIREMENT).from(NodeSelectorTerm::matchExpressions);
            var matchFields = fields.list("matchFields", 2, REQUIREMENT).from(NodeSelectorTerm::matchFields);
            return read -> new NodeSelectorTerm(read.get(matchExpressions), read.get(matchFields));
        });

        static final Message<NodeSelector> SELECTOR = Message.of(fields -> {
            var terms = fields.list("nodeSelectorTerms", 1, TERM).from(NodeSelector::terms);
            return read -> new NodeSelector(read.get(terms));
        });

        private static final Message<PreferredSchedulingTerm> PREFERRED_TERM = Message.of(fields -> {
            var weight = fields.int32("weight", 1, 0).from(PreferredSchedulingTerm::weight);
            var preference = fields.message("preference", 2, TERM, new NodeSelectorTerm(List.of(), List.of()))
                    .from(PreferredSchedulingTerm::preference);
            return read -> new PreferredSchedulingTerm(read.get(weight), read.get(preference));
        });

        static final Message<NodeAffinity> NODE_AFFINITY = Message.of(fields -> {
            var required = fields.optional(AffinityFields.REQUIRED, 1, SELECTOR).from(NodeAffinity::required);
            var preferred =
                    fields.list(AffinityFields.PREFERRED, 2, PREFERRED_TERM).from(NodeAffinity::preferred);
            return read -> new NodeAffinity(read.get(required), read.get(preferred));
        });

        private NodeAffinityFields() {}
    }
}
