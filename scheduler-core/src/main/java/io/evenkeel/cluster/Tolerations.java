package io.evenkeel.cluster;

import io.evenkeel.model.Node;
import io.evenkeel.model.Taint;
import io.evenkeel.model.Toleration;
import java.util.List;

/** The tolerations of a pod. */
public record Tolerations(List<Toleration> all) {
    public static final Tolerations NONE = new Tolerations(List.of());

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
