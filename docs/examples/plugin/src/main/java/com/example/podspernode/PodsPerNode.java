package com.example.podspernode;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.StateKey;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;

/**
 * At most so many pods of an app on one node, as the label {@value #MOST} of its pods says. Pods are of one app where
 * they are in one namespace and agree in a label that the arguments name.
 */
public final class PodsPerNode implements PreFilterPlugin, FilterPlugin, WakeUpPlugin {
    public static final String NAME = "PodsPerNode";
    static final String MOST = "example.com/max-per-node";

    private static final StateKey<Integer> LIMIT = new StateKey<>(NAME, Integer.class);
    private static final Status FULL = Status.unschedulable("node(s) had as many pods of the app as it allows");

    private final String appLabel;

    PodsPerNode(String appLabel) {
        this.appLabel = appLabel;
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Once a pod: those that set no limit are let alone. */
    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        String said = pod.pod().labels().getOrDefault(MOST, "");
        if (said.isEmpty() || !pod.pod().labels().has(appLabel)) {
            return PreFilterResult.SKIP;
        }
        Optional<Integer> limit = limit(said);
        if (limit.isEmpty()) {
            return new PreFilterResult.Rejected(
                    Status.unresolvable("label " + MOST + " is \"" + said + "\", expected a number from 1 to 9999"));
        }
        state.put(LIMIT, limit.get());
        return PreFilterResult.PROCEED;
    }

    /** Once a node. */
    @Override
    public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
        long present = node.pods().stream()
                .filter(other -> isOfOneApp(pod.pod(), other))
                .count();
        return present < state.get(LIMIT) ? Status.SUCCESS : FULL;
    }

    /** What may help a pod that was turned away; it sleeps until then. */
    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                WakeUp.on((waiting, change) -> true, ChangeKind.NODE_ADDED, ChangeKind.OWN_LABELS),
                WakeUp.on(this::hasLeft, ChangeKind.ASSIGNED_POD_DELETED, ChangeKind.ASSIGNED_POD_LABELS));
    }

    private boolean hasLeft(PendingPod waiting, ClusterChange change) {
        return change.before(Pod.class)
                .filter(other -> isOfOneApp(waiting.pod(), other))
                .isPresent();
    }

    private boolean isOfOneApp(Pod one, Pod other) {
        return one.namespace().equals(other.namespace())
                && other.labels().has(appLabel, one.labels().getOrDefault(appLabel, ""));
    }

    private static Optional<Integer> limit(String said) {
        return said.matches("[1-9][0-9]{0,3}") ? Optional.of(Integer.valueOf(said)) : Optional.empty();
    }
}
