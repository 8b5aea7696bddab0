package io.evenkeel.cluster.shape;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.Toleration;
import java.util.List;

/** The tolerations of a pod that can match a taint. */
public record Tolerations(List<Toleration> all) {
    public static final Tolerations NONE = new Tolerations(List.of());

    static final FacetKind<Tolerations> KIND = new FacetKind<>("tolerations", Tolerations::of);

    /** Reads the pod's tolerations; which of them never match while a gate is off is settled here, once. */
    public static Tolerations of(Pod pod, FeatureGates gates) {
        List<Toleration> own = pod.spec().tolerations();
        if (own.isEmpty()) {
            return NONE;
        }
        boolean allCount = gates.isOn(Feature.TAINT_TOLERATION_COMPARISON_OPERATORS) || !anyCompares(own);
        return new Tolerations(
                allCount
                        ? own
                        : own.stream()
                                .filter(toleration -> !toleration.compares())
                                .toList());
    }

    private static boolean anyCompares(List<Toleration> tolerations) {
        for (int i = 0; i < tolerations.size(); i++) {
            if (tolerations.get(i).compares()) {
                return true;
            }
        }
        return false;
    }

    public boolean tolerate(Taint taint) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).tolerates(taint)) {
                return true;
            }
        }
        return false;
    }

    /** Whether every NoSchedule and NoExecute taint of the node is tolerated. */
    public boolean admitTo(Node node) {
        List<Taint> taints = node.taints();
        for (int i = 0; i < taints.size(); i++) {
            if (taints.get(i).effect().keepsPodsAway() && !tolerate(taints.get(i))) {
                return false;
            }
        }
        return true;
    }
}
