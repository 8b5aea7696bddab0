package io.evenkeel.framework.why;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiNode;
import java.util.List;

/**
 * One more node, without pods.
 *
 * @param like the node that it is like
 * @param where what distinguishes it from that, as "with topology.kubernetes.io/zone=c"; empty where nothing does
 * @param with what comes with it: the CSINode by which its drivers say how many volumes it can have
 */
public record NodeAdded(Node node, String like, String where, List<KubernetesObject> with) implements Change {

    /** With drivers as the other one has them: a node that has none would be told to have room for any volume. */
    public static NodeAdded like(String like, Node node, String where, ClusterView cluster) {
        boolean isToldOf = cluster.objects().find(Kinds.CSI_NODE, node.name()).isPresent();
        List<KubernetesObject> with = cluster
                .objects()
                .find(Kinds.CSI_NODE, like)
                .filter(_ -> !isToldOf)
                .<KubernetesObject>map(csiNode -> new CsiNode(csiNode.meta().ofAnother(node.name()), csiNode.limits()))
                .stream()
                .toList();
        return new NodeAdded(node, like, where, with);
    }

    @Override
    public Kind kind() {
        return Kind.NODE;
    }

    @Override
    public String text() {
        return "one more node like " + like + (where.isEmpty() ? "" : " " + where);
    }
}
