package io.evenkeel.engine.why;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.NodeAdded;
import io.evenkeel.framework.why.Change.ObjectAdded;
import io.evenkeel.framework.why.Change.PatchOperation;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.Change.PolicyLimit;
import io.evenkeel.framework.why.NodeChange;
import io.evenkeel.framework.why.PodChange;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An edit of the objects that makes a change, for somebody, or a program, to do. */
public sealed interface Edit {

    /**
     * An object is patched.
     *
     * @param object as {@code Node/n1} or {@code Pod/default/web-1}
     */
    record Patched(String object, List<PatchOperation> operations) implements Edit {}

    record Added(KubernetesObject object) implements Edit {}

    record Removed(Pod pod) implements Edit {}

    /** The edits for changes, each as the object is after those before; one after the other of one object are one. */
    static List<Edit> of(List<Change> changes, Pod pod, ClusterView cluster) {
        List<Edit> edits = new ArrayList<>();
        Map<String, Node> nodes = new HashMap<>();
        Pod changed = pod;
        for (Change change : changes) {
            switch (change) {
                case PodChange own -> {
                    append(edits, new Patched("Pod/" + pod.key(), own.patch(changed)));
                    changed = own.applied(changed);
                }
                case NodeChange there -> {
                    Node before = nodes.computeIfAbsent(
                            there.node(),
                            name -> cluster.nodes().node(cluster.nodes().findPresent(name)));
                    append(edits, new Patched("Node/" + there.node(), there.patch(before)));
                    nodes.put(there.node(), there.applied(before));
                }
                case NodeAdded added -> {
                    edits.add(new Added(added.node()));
                    added.with().forEach(object -> edits.add(new Added(object)));
                }
                case ObjectAdded added -> edits.add(new Added(added.object()));
                case PolicyLimit more ->
                    append(edits, new Patched(more.kindName() + "/" + more.policy(), more.patch()));
                case PodGone gone -> edits.add(new Removed(gone.pod()));
            }
        }
        return List.copyOf(edits);
    }

    private static void append(List<Edit> edits, Patched next) {
        if (!edits.isEmpty()
                && edits.getLast() instanceof Patched(var object, var operations)
                && object.equals(next.object)) {
            List<PatchOperation> all = new ArrayList<>(operations);
            all.addAll(next.operations);
            edits.set(edits.size() - 1, new Patched(object, List.copyOf(all)));
        } else {
            edits.add(next);
        }
    }
}
