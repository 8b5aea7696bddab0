package io.evenkeel.framework.why;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.StateKey;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.model.value.Labels;
import java.util.List;

/**
 * Says with numbers why it turns nodes away, and what might help: a part that a plugin with a filter may have. Asked only for
 * people who want to know, never on the way to a decision.
 */
public interface ExplainingPlugin {
    /** Of a cycle that only answers people: what the plugin would refuse once there is a node, it refuses at PreFilter then. */
    StateKey<Boolean> FOR_PEOPLE = new StateKey<>("whether people ask", Boolean.class);

    String name();

    /** Returns the plugin's counts for the pod, rule by rule, as the cluster is now. */
    List<Account> accounts(PodInfo pod);

    /**
     * The rules that the plugin places the pod by, be it for good or as a preference, and where they come from: for pods in place,
     * that keep or break them. None where the pod has none, or they are the pod's own needs as it says them.
     */
    default List<Account> rulesInForce(PodInfo pod) {
        return List.of();
    }

    /**
     * How far a node that the plugin turns away is from one that it would not, to compare nodes that are turned away for the
     * same reasons; 0 where there is no such measure.
     */
    default double distance(PodInfo pod, NodeInfo node) {
        return 0;
    }

    /**
     * Labels that a new node may have for the plugin to let the pod onto it, where a copy of one there is would not do: any of
     * these. None where labels do not matter to the pod.
     */
    default List<Labels> labelsOfNewNodes(PodInfo pod) {
        return List.of();
    }

    /**
     * Ways in which the plugin might let the pod onto a node that it turns away now, the mildest first. Each is tried before it is
     * told, so that one may be named that only seems to help; other plugins need not be thought of.
     */
    List<List<Change>> remedies(PodInfo pod, NodeInfo node);
}
