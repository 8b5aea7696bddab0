package io.evenkeel.model;

import io.evenkeel.model.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.TopologySpreadConstraint.WhenUnsatisfiable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code spec.topologySpreadConstraints}. */
final class TopologySpreadReader {
    static final Map<String, WhenUnsatisfiable> WHEN_UNSATISFIABLE = Map.of(
            "DoNotSchedule", WhenUnsatisfiable.DO_NOT_SCHEDULE, "ScheduleAnyway", WhenUnsatisfiable.SCHEDULE_ANYWAY);
    static final Map<String, NodeInclusionPolicy> POLICIES =
            Map.of("Honor", NodeInclusionPolicy.HONOR, "Ignore", NodeInclusionPolicy.IGNORE);

    private TopologySpreadReader() {}

    static TopologySpreadConstraint read(JsonCursor in) {
        Optional<Integer> maxSkew = Optional.empty();
        String topologyKey = "";
        Optional<WhenUnsatisfiable> whenUnsatisfiable = Optional.empty();
        LabelSelector labelSelector = LabelSelector.NOTHING;
        int minDomains = 1;
        NodeInclusionPolicy nodeAffinityPolicy = NodeInclusionPolicy.HONOR;
        NodeInclusionPolicy nodeTaintsPolicy = NodeInclusionPolicy.IGNORE;
        List<String> matchLabelKeys = List.of();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "maxSkew" -> maxSkew = Optional.of(in.integer());
                case "topologyKey" -> topologyKey = in.sharedString();
                case "whenUnsatisfiable" -> whenUnsatisfiable = Optional.of(in.oneOf(WHEN_UNSATISFIABLE));
                case "labelSelector" -> labelSelector = LabelSelectorReader.read(in);
                case "minDomains" -> minDomains = in.integer();
                case "nodeAffinityPolicy" -> nodeAffinityPolicy = in.oneOf(POLICIES);
                case "nodeTaintsPolicy" -> nodeTaintsPolicy = in.oneOf(POLICIES);
                case "matchLabelKeys" -> matchLabelKeys = in.strings();
                default -> in.skip();
            }
        }
        if (topologyKey.isEmpty()) {
            throw in.missing("topologyKey");
        }
        return new TopologySpreadConstraint(
                maxSkew.orElseThrow(() -> in.missing("maxSkew")),
                topologyKey,
                whenUnsatisfiable.orElseThrow(() -> in.missing("whenUnsatisfiable")),
                labelSelector,
                minDomains,
                nodeAffinityPolicy,
                nodeTaintsPolicy,
                matchLabelKeys);
    }
}
