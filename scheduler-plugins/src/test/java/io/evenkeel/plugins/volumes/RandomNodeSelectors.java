package io.evenkeel.plugins.volumes;

import static io.evenkeel.plugins.RandomCluster.oneOf;

import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Selectors with all operators, names of nodes, terms that say nothing, and requirements that are no good. */
final class RandomNodeSelectors {
    static final String[] ZONE_KEYS = {
        "zone", DiskZones.ZONE, DiskZones.BETA_ZONE, "topology.ebs.csi.aws.com/zone", "topology.gke.io/zone"
    };

    private final SplittableRandom random;
    private final Supplier<String> nodeName;

    RandomNodeSelectors(SplittableRandom random, Supplier<String> nodeName) {
        this.random = random;
        this.nodeName = nodeName;
    }

    NodeSelector selector() {
        return new NodeSelector(IntStream.range(0, random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(2))
                .mapToObj(_ -> term())
                .toList());
    }

    private NodeSelectorTerm term() {
        List<NodeSelectorRequirement> expressions = new ArrayList<>();
        List<NodeSelectorRequirement> fields = new ArrayList<>();
        for (int i = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(2); i > 0; i--) {
            expressions.add(requirement());
        }
        if (random.nextInt(6) == 0) {
            fields.add(new NodeSelectorRequirement(
                    oneOf(random, NodeSelectorTerm.NAME_FIELD, NodeSelectorTerm.NAME_FIELD, "metadata.uid"),
                    oneOf(random, Operator.IN, Operator.NOT_IN, Operator.EXISTS),
                    oneOf(random, List.of(nodeName.get()), List.of(), List.of(nodeName.get(), nodeName.get()))));
        }
        return new NodeSelectorTerm(expressions, fields);
    }

    private NodeSelectorRequirement requirement() {
        return random.nextInt(3) == 0
                ? new NodeSelectorRequirement(
                        "size",
                        oneOf(random, Operator.GT, Operator.LT, Operator.IN),
                        oneOf(random, List.of("1"), List.of("2"), List.of("many"), List.of("1", "2"), List.of()))
                : new NodeSelectorRequirement(
                        oneOf(random, oneOf(random, ZONE_KEYS), "nowhere"),
                        oneOf(
                                random,
                                Operator.IN,
                                Operator.IN,
                                Operator.NOT_IN,
                                Operator.EXISTS,
                                Operator.DOES_NOT_EXIST),
                        oneOf(
                                random,
                                List.of("x"),
                                List.of("x", "y"),
                                List.of("x", "?"),
                                List.of("z"),
                                List.of(),
                                List.of("w")));
    }
}
