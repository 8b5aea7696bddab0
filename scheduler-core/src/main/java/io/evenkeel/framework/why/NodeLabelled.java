package io.evenkeel.framework.why;

import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.value.NameForm;
import java.util.List;
import java.util.Map;

/** A label on a node that has none of its key: what labels say of a node already, as where it is, they go on saying. */
public record NodeLabelled(String node, String key, String value) implements NodeChange {

    /** One of a value that no other node is known to have, for a domain of its own. */
    public static NodeLabelled anew(String node, String key) {
        String value = "new-" + key.substring(key.lastIndexOf('/') + 1);
        return new NodeLabelled(node, key, NameForm.isLabelValue(value) ? value : "new");
    }

    @Override
    public Kind kind() {
        return Kind.NODE_LABEL;
    }

    @Override
    public String text() {
        return "label " + key + "=" + value + " on node " + node;
    }

    @Override
    public Node applied(Node before) {
        return NodeBuilder.from(before).label(key, value).build();
    }

    /** A node without labels may not even have the field for them. */
    @Override
    public List<PatchOperation> patch(Node before) {
        return List.of(
                before.labels().size() == 0
                        ? PatchOperation.add("/metadata/labels", Map.of(key, value))
                        : PatchOperation.add("/metadata/labels/" + PatchOperation.escaped(key), value));
    }
}
