package io.evenkeel.framework.why;

import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.framework.why.Change.PatchOperation;
import io.evenkeel.framework.why.Change.Sized;
import io.evenkeel.model.Node;
import io.evenkeel.model.Taint;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.value.NameForm;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A change of a node that there is. */
public sealed interface NodeChange extends Change {

    @Override
    default Kind kind() {
        return switch (this) {
            case MoreOffered _ -> Kind.RESOURCE;
            case NodeLabelled _ -> Kind.NODE_LABEL;
            case TaintRemoved _ -> Kind.TAINT;
            case Uncordoned _ -> Kind.UNCORDON;
        };
    }

    String node();

    /** The node once it is changed. */
    Node applied(Node before);

    /** Returns the change as operations on the object that the node was read from. */
    List<PatchOperation> patch(Node before);

    /**
     * More of a resource on a node.
     *
     * @param offered how much of it the node has for pods now, cpu in thousandths
     * @param more how much is added
     */
    record MoreOffered(String node, String resource, long offered, long more) implements NodeChange, Sized {
        @Override
        public String text() {
            return written(more) + " more " + resource + " on node " + node + " (" + written(offered + more)
                    + " instead of " + written(offered) + ")";
        }

        /** What the node offers then, as "9 cpu instead of 8". */
        public String offer() {
            return written(offered + more) + " " + resource + " instead of " + written(offered);
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
            return List.of(PatchOperation.add(
                    "/status/allocatable/" + PatchOperation.escaped(resource), written(offered + more)));
        }
    }

    /** A label on a node that has none of its key: what labels say of a node already, as where it is, they go on saying. */
    record NodeLabelled(String node, String key, String value) implements NodeChange {
        /** One of a value that no other node is known to have, for a domain of its own. */
        public static NodeLabelled anew(String node, String key) {
            String value = "new-" + key.substring(key.lastIndexOf('/') + 1);
            return new NodeLabelled(node, key, NameForm.isLabelValue(value) ? value : "new");
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

    /** A node without one of its taints. */
    record TaintRemoved(String node, Taint taint) implements NodeChange {
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
            return List.of(
                    PatchOperation.remove("/spec/taints/" + before.taints().indexOf(taint)));
        }
    }

    /** A cordoned node that takes pods again, without the taint that the node controller has given it for the cordon. */
    record Uncordoned(String node) implements NodeChange {
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
}
