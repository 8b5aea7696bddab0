package io.evenkeel.config.read;

import io.evenkeel.config.args.NodeAffinityArgs;
import io.evenkeel.config.yaml.MappingFields;
import io.evenkeel.config.yaml.Range;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PreferredSchedulingTerm;
import java.util.List;
import java.util.Optional;

/** Arguments of NodeAffinity. */
final class NodeAffinityBinder {
    private NodeAffinityBinder() {}

    static NodeAffinityArgs args(MappingFields fields) {
        return new NodeAffinityArgs(fields.mapping("addedAffinity", NodeAffinityBinder::affinity));
    }

    private static NodeAffinity affinity(MappingFields fields) {
        Optional<NodeSelector> required =
                fields.mapping("requiredDuringSchedulingIgnoredDuringExecution", NodeAffinityBinder::selector);
        return new NodeAffinity(
                required,
                fields.mappings("preferredDuringSchedulingIgnoredDuringExecution", NodeAffinityBinder::preferred));
    }

    private static NodeSelector selector(MappingFields fields) {
        if (!fields.has("nodeSelectorTerms")) {
            fields.error("nodeSelectorTerms", "is required");
        }
        return new NodeSelector(fields.mappings("nodeSelectorTerms", NodeAffinityBinder::term));
    }

    private static PreferredSchedulingTerm preferred(MappingFields fields) {
        return new PreferredSchedulingTerm(
                fields.int32("weight", 0, Range.INT32),
                fields.mapping("preference", NodeAffinityBinder::term)
                        .orElse(new NodeSelectorTerm(List.of(), List.of())));
    }

    private static NodeSelectorTerm term(MappingFields fields) {
        return new NodeSelectorTerm(
                fields.mappings("matchExpressions", NodeRequirementBinder::onLabels),
                fields.mappings("matchFields", NodeRequirementBinder::onFields));
    }
}
