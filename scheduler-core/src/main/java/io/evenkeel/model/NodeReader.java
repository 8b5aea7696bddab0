package io.evenkeel.model;

import java.util.List;

/** Reads Nodes. */
final class NodeReader implements KindReader {
    private final NodeBuilder node = NodeBuilder.node("");

    @Override
    public void field(String name, JsonCursor in) {
        switch (name) {
            case "spec" -> readSpec(in);
            case "status" -> readStatus(in);
            default -> in.skip();
        }
    }

    private void readSpec(JsonCursor in) {
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "unschedulable" -> node.unschedulable(in.bool());
                case "taints" -> in.list(TaintReader::readTaint).forEach(node::taint);
                default -> in.skip();
            }
        }
    }

    private void readStatus(JsonCursor in) {
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "allocatable" -> node.allocatable(in.resources());
                case "images" -> in.list(NodeReader::readImage).forEach(node::image);
                case "declaredFeatures" -> node.declaredFeatures(in.strings());
                default -> in.skip();
            }
        }
    }

    private static ContainerImage readImage(JsonCursor in) {
        List<String> names = List.of();
        long sizeBytes = 0;
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "names" -> names = in.strings();
                case "sizeBytes" -> sizeBytes = in.longInteger();
                default -> in.skip();
            }
        }
        return new ContainerImage(names, sizeBytes);
    }

    @Override
    public Node build(ObjectMeta meta) {
        return node.meta(meta).build();
    }
}
