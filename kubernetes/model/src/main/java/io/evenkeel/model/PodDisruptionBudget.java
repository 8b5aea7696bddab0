package io.evenkeel.model;

import io.evenkeel.model.value.LabelSelector;
import java.util.Set;

/**
 * A PodDisruptionBudget: how many of some pods may be disturbed at once.
 *
 * @param disruptionsAllowed how many more may be, as its controller has counted
 * @param disruptedPods names of pods that the API server has let be evicted, and that are not gone yet
 */
public record PodDisruptionBudget(
        ObjectMeta meta, LabelSelector selector, int disruptionsAllowed, Set<String> disruptedPods)
        implements KubernetesObject {
    @Override
    public String kindName() {
        return "PodDisruptionBudget";
    }

    /**
     * Whether disturbing the pod uses the budget up. One that selects everything protects nothing, and a pod that is
     * being evicted already has been counted.
     */
    public boolean protects(Pod pod) {
        return meta.namespace().equals(pod.meta().namespace())
                && !selector.matchesEverything()
                && selector.matches(pod.labels())
                && protectsSelected(pod);
    }

    /** The same of a pod of its namespace that its selector is known to match, and not everything else too. */
    public boolean protectsSelected(Pod pod) {
        return pod.labels().size() > 0 && !disruptedPods.contains(pod.meta().name());
    }
}
