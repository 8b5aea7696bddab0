package io.evenkeel.plugins;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.model.Node;
import java.util.Optional;
import java.util.function.Function;

/** A plugin whose verdict on a node follows from the pod and from what the node says of itself, whichever pods are on it. */
abstract class NodeCheck implements BatchFilterPlugin, DryRunPlugin, WakeUpPlugin {

    /** The rule, which the plugin's masks keep for all nodes. */
    abstract Status verdict(PodInfo pod, Node node);

    @Override
    public final Status filter(CycleState state, PendingPod pod, NodeInfo node) {
        return verdict(PodInfo.of(pod), node.node());
    }

    /**
     * Wakes pods for a node that passes now and did not before.
     *
     * @param likeness what pods have in common that get the same verdicts
     */
    final WakeUp whenNodeBeginsToPass(Function<PendingPod, Object> likeness, ChangeKind first, ChangeKind more) {
        return WakeUp.on(
                        (waiting, change) -> passes(waiting, change.after(Node.class))
                                && !passes(waiting, change.before(Node.class)),
                        first,
                        more)
                .alike(likeness)
                .aboutNodeAlone()
                .alsoOfGangs();
    }

    private boolean passes(PendingPod waiting, Optional<Node> node) {
        return node.isPresent() && verdict(PodInfo.of(waiting), node.get()).isSuccess();
    }
}
