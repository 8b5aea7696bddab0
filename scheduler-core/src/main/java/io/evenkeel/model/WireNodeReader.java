package io.evenkeel.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads Nodes: {@code {1: metadata, 2: spec, 3: status}}. */
final class WireNodeReader implements WireKindReader {
    private final WireValues values;
    private final WireTaintReader taints;

    WireNodeReader(WireValues values) {
        this.values = values;
        this.taints = new WireTaintReader(values);
    }

    @Override
    public Node read(ObjectMeta meta, WireCursor in) {
        NodeBuilder node = NodeBuilder.node("").meta(meta);
        while (in.next()) {
            switch (in.field()) {
                case 2 -> readSpec(in.message(), node);
                case 3 -> readStatus(in.message(), node);
                default -> {}
            }
        }
        return node.build();
    }

    private void readSpec(WireCursor in, NodeBuilder node) {
        while (in.next()) {
            switch (in.field()) {
                case 4 -> node.unschedulable(in.bool());
                case 5 -> node.taint(taints.readTaint(in.message()));
                default -> {}
            }
        }
    }

    private void readStatus(WireCursor in, NodeBuilder node) {
        Map<String, Quantity> allocatable = new TreeMap<>();
        List<String> declaredFeatures = new ArrayList<>();
        while (in.next()) {
            switch (in.field()) {
                case 2 -> values.addResource(in, allocatable);
                case 8 -> node.image(readImage(in.message()));
                case 14 -> declaredFeatures.add(values.string(in));
                default -> {}
            }
        }
        node.allocatable(allocatable).declaredFeatures(declaredFeatures);
    }

    private ContainerImage readImage(WireCursor in) {
        List<String> names = new ArrayList<>();
        long sizeBytes = 0;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> names.add(values.string(in));
                case 2 -> sizeBytes = in.int64();
                default -> {}
            }
        }
        return new ContainerImage(List.copyOf(names), sizeBytes);
    }
}
