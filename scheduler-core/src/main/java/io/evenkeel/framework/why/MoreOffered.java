package io.evenkeel.framework.why;

import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;

/**
 * More of a resource on a node.
 *
 * @param offered how much of it the node has for pods now, cpu in thousandths
 * @param more how much is added
 */
public record MoreOffered(String node, String resource, long offered, long more) implements NodeChange, Sized {
    @Override
    public Kind kind() {
        return Kind.RESOURCE;
    }

    @Override
    public String text() {
        return written(more) + " more " + resource + " on node " + node + " (" + written(offered + more)
                + " instead of " + written(offered) + ")";
    }

    private String written(long amount) {
        return ResourceNames.text(resource, amount);
    }

    private Quantity quantity(long amount) {
        return ResourceNames.quantity(resource, amount);
    }

    @Override
    public long size() {
        return more;
    }

    @Override
    public Change ofSize(long size) {
        return new MoreOffered(node, resource, offered, size);
    }

    @Override
    public Node applied(Node before) {
        return NodeBuilder.from(before)
                .allocatable(Map.of(resource, quantity(offered + more)))
                .build();
    }

    @Override
    public List<PatchOperation> patch(Node before) {
        return List.of(
                PatchOperation.add("/status/allocatable/" + PatchOperation.escaped(resource), written(offered + more)));
    }
}
