package io.evenkeel.framework.why;

import io.evenkeel.model.Node;
import io.evenkeel.model.Taint;
import io.evenkeel.model.build.NodeBuilder;
import java.util.List;

/** A node without one of its taints. */
public record TaintRemoved(String node, Taint taint) implements NodeChange {
    @Override
    public Kind kind() {
        return Kind.TAINT;
    }

    @Override
    public String text() {
        return "node " + node + " without taint " + taint.text();
    }

    @Override
    public Node applied(Node before) {
        return NodeBuilder.from(before).withoutTaint(taint).build();
    }

    @Override
    public List<PatchOperation> patch(Node before) {
        return List.of(PatchOperation.remove("/spec/taints/" + before.taints().indexOf(taint)));
    }
}
