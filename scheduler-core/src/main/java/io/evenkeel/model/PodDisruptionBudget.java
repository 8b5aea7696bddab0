package io.evenkeel.model;

import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.Set;

/**
 * A PodDisruptionBudget: how many of some pods may be disturbed at once.
 *
 * @param disruptionsAllowed how many more may be, as its controller has counted
 * @param disruptedPods names of pods whose eviction the API server has let through, and which are not gone yet
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
        Labels labels = pod.labels();
        return meta.namespace().equals(pod.meta().namespace())
                && labels.size() > 0
                && !selector.matchesEverything()
                && selector.matches(labels)
                && !disruptedPods.contains(pod.meta().name());
    }
}
