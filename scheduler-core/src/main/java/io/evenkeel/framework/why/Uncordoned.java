package io.evenkeel.framework.why;

import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import java.util.ArrayList;
import java.util.List;

/** A cordoned node that takes pods again, without the taint that the node controller has given it for the cordon. */
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
        return NodeBuilder.from(before).uncordoned().build();
    }

    @Override
    public List<PatchOperation> patch(Node before) {
        List<PatchOperation> operations = new ArrayList<>(List.of(PatchOperation.remove("/spec/unschedulable")));
        for (int at = before.taints().size() - 1; at >= 0; at--) { // backwards, so that the places of others stay
            if (before.taints().get(at).isOfCordon()) {
                operations.add(PatchOperation.remove("/spec/taints/" + at));
            }
        }
        return List.copyOf(operations);
    }
}
