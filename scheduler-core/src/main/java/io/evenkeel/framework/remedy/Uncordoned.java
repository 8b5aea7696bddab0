package io.evenkeel.framework.remedy;

import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import java.util.List;

/** A cordoned node that takes pods again. */
public record Uncordoned(String node) implements NodeChange {
    @Override
    public Kind kind() {
        return Kind.UNCORDON;
    }

    @Override
    public String text() {
        return "node " + node + " uncordoned";
    }

    @Override
    public Node applied(Node before) {
        return NodeBuilder.from(before).unschedulable(false).build();
    }

    @Override
    public List<PatchOperation> patch(Node before) {
        return List.of(PatchOperation.remove("/spec/unschedulable"));
    }
}
