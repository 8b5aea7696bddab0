package io.evenkeel.cluster;

import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.Tolerations;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.constraint.WeightedPodAffinityTerm;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Random selectors, terms and constraints over few keys and values, so that they meet. */
final class RandomSelectors {
    static final int LABEL_KEYS = 14;

    private final Pick pick;

    RandomSelectors(Pick pick) {
        this.pick = pick;
    }

    String labelKey() {
        return "l" + pick.below(pick.oneIn(2) ? 3 : LABEL_KEYS);
    }

    String labelValue() {
        return pick.of("a", "b", "");
    }

    Labels labels() {
        Map<String, String> labels = new TreeMap<>();
        pick.some(4, this::labelKey).forEach(key -> labels.put(key, labelValue()));
        if (pick.oneIn(3)) {
            labels.put("never-mentioned", "" + pick.below(5));
        }
        return Labels.of(labels);
    }

    String namespace() {
        return pick.of("x", "y", "z");
    }

    String topologyKey() {
        return pick.of("zone", "host", "rack");
    }

    LabelSelector selector() {
        return switch (pick.below(8)) {
            case 0 -> LabelSelector.NOTHING;
            case 1 -> LabelSelector.EVERYTHING;
            default -> LabelSelector.of(pick.exactly(1 + pick.below(2), this::requirement));
        };
    }

    private LabelRequirement requirement() {
        LabelRequirement.Operator operator = pick.of(LabelRequirement.Operator.values());
        boolean hasValues = operator == LabelRequirement.Operator.IN || operator == LabelRequirement.Operator.NOT_IN;
        return new LabelRequirement(labelKey(), operator, hasValues ? labelValues() : List.of());
    }

    /** Few, or so many that they are kept and filed otherwise. */
    private List<String> labelValues() {
        List<String> values = new ArrayList<>(pick.exactly(1 + pick.below(2), this::labelValue));
        if (pick.oneIn(6)) {
            IntStream.range(0, 20).forEach(i -> values.add("v" + i));
        }
        return values;
    }

    private LabelSelector namespaceSelector() {
        return switch (pick.below(5)) {
            case 0, 1 -> LabelSelector.NOTHING;
            case 2 -> LabelSelector.EVERYTHING;
            default ->
                LabelSelector.of(List.of(new LabelRequirement(
                        "env",
                        pick.of(LabelRequirement.Operator.IN, LabelRequirement.Operator.NOT_IN),
                        List.of("prod"))));
        };
    }

    PodAffinityTerm term() {
        return new PodAffinityTerm(selector(), topologyKey(), pick.some(2, this::namespace), namespaceSelector());
    }

    PodAffinity podAffinity() {
        return pick.oneIn(2)
                ? PodAffinity.NONE
                : new PodAffinity(
                        pick.some(1, this::term),
                        pick.some(1, this::weighted),
                        pick.some(2, this::term),
                        pick.some(2, this::weighted));
    }

    private WeightedPodAffinityTerm weighted() {
        return new WeightedPodAffinityTerm(1 + pick.below(3), term());
    }

    SelectorGroup.Key group() {
        return new SelectorGroup.Key(
                pick.exactly(1 + pick.below(2), () -> PodMatch.of(term(), namespace())), pick.oneIn(2));
    }

    Topology.Key topology() {
        return new Topology.Key(topologyKey(), pick.oneIn(4));
    }

    /** One that leaves out the nodes that are in no domain of the topology. */
    NodeEligibility.Key eligibility(Topology.Key topology) {
        Set<String> keys = new TreeSet<>(pick.some(1, this::topologyKey));
        if (!topology.absentIsEmpty()) {
            keys.add(topology.label());
        }
        return new NodeEligibility.Key(
                List.copyOf(keys),
                pick.oneIn(2) ? NodeRequirement.NONE : new NodeRequirement(nodeSelector(), nodeAffinity()),
                pick.oneIn(2),
                new Tolerations(tolerations()));
    }

    Labels nodeSelector() {
        return pick.oneIn(3) ? Labels.of(labelKey(), labelValue()) : Labels.EMPTY;
    }

    NodeAffinity nodeAffinity() {
        if (!pick.oneIn(3)) {
            return NodeAffinity.NONE;
        }
        NodeSelectorRequirement requirement = new NodeSelectorRequirement(
                pick.of("zone", "rack", "l0"),
                pick.of(NodeSelectorRequirement.Operator.IN, NodeSelectorRequirement.Operator.NOT_IN),
                List.of("a"));
        NodeSelectorTerm term = new NodeSelectorTerm(List.of(requirement), List.of());
        return new NodeAffinity(Optional.of(new NodeSelector(List.of(term))), List.of());
    }

    List<Toleration> tolerations() {
        return pick.some(
                2, () -> new Toleration(pick.of("k", "m", ""), Toleration.Operator.EXISTS, "", Optional.empty()));
    }

    List<TopologySpreadConstraint> spread() {
        List<TopologySpreadConstraint> constraints = new ArrayList<>();
        if (pick.oneIn(2)) {
            constraints.add(new TopologySpreadConstraint(
                    1 + pick.below(2),
                    topologyKey(),
                    pick.of(WhenUnsatisfiable.values()),
                    selector(),
                    1,
                    NodeInclusionPolicy.HONOR,
                    NodeInclusionPolicy.IGNORE,
                    pick.some(1, this::labelKey)));
        }
        return constraints;
    }
}
