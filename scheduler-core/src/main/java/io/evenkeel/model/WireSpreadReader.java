package io.evenkeel.model;

import io.evenkeel.model.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.TopologySpreadConstraint.WhenUnsatisfiable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code topologySpreadConstraints}. */
final class WireSpreadReader {
    private final WireValues values;
    private final WireSelectorReader selectors;

    WireSpreadReader(WireValues values, WireSelectorReader selectors) {
        this.values = values;
        this.selectors = selectors;
    }

    TopologySpreadConstraint read(WireCursor in) {
        Optional<Integer> maxSkew = Optional.empty();
        String topologyKey = "";
        Optional<WhenUnsatisfiable> whenUnsatisfiable = Optional.empty();
        LabelSelector labelSelector = LabelSelector.NOTHING;
        int minDomains = 1;
        NodeInclusionPolicy affinityPolicy = NodeInclusionPolicy.HONOR;
        NodeInclusionPolicy taintsPolicy = NodeInclusionPolicy.IGNORE;
        List<String> matchLabelKeys = new ArrayList<>();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> maxSkew = Optional.of(in.int32());
                case 2 -> topologyKey = values.string(in);
                case 3 ->
                    whenUnsatisfiable =
                            Optional.of(values.oneOf(TopologySpreadReader.WHEN_UNSATISFIABLE, in, "whenUnsatisfiable"));
                case 4 -> labelSelector = selectors.read(in.message());
                case 5 -> minDomains = in.int32();
                case 6 -> affinityPolicy = values.oneOf(TopologySpreadReader.POLICIES, in, "nodeAffinityPolicy");
                case 7 -> taintsPolicy = values.oneOf(TopologySpreadReader.POLICIES, in, "nodeTaintsPolicy");
                case 8 -> matchLabelKeys.add(values.string(in));
                default -> {}
            }
        }
        if (topologyKey.isEmpty()) {
            throw WireValues.missing("topologyKey");
        }
        return new TopologySpreadConstraint(
                maxSkew.orElseThrow(() -> WireValues.missing("maxSkew")),
                topologyKey,
                whenUnsatisfiable.orElseThrow(() -> WireValues.missing("whenUnsatisfiable")),
                labelSelector,
                minDomains,
                affinityPolicy,
                taintsPolicy,
                List.copyOf(matchLabelKeys));
    }
}
