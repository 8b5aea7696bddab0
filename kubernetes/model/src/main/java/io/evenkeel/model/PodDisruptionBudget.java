package io.evenkeel.model;

import io.evenkeel.model.value.IntOrPercent;
import io.evenkeel.model.value.LabelSelector;
import java.util.Optional;
import java.util.Set;

/**
 * A PodDisruptionBudget: how many of some pods may be disturbed at once.
 *
 * @param minAvailable how many are to stay
 * @param maxUnavailable how many may be missing of those that there are to be
 * @param disruptionsAllowed how many more may be, as its controller has counted
 * @param disruptedPods names of pods that the API server has let be evicted, and that are not gone yet
 */
public record PodDisruptionBudget(
        ObjectMeta meta,
        LabelSelector selector,
        Optional<IntOrPercent> minAvailable,
        Optional<IntOrPercent> maxUnavailable,
        int disruptionsAllowed,
        Set<String> disruptedPods)
        implements KubernetesObject {

    /** One of which no more is known than what its controller has counted. */
    public PodDisruptionBudget(
            ObjectMeta meta, LabelSelector selector, int disruptionsAllowed, Set<String> disruptedPods) {
        this(meta, selector, Optional.empty(), Optional.empty(), disruptionsAllowed, disruptedPods);
    }

    @Override
    public String kindName() {
        return "PodDisruptionBudget";
    }

    /**
     * Whether disturbing the pod uses the budget up; a pod that is being evicted already has been counted.
     *
     * @param all whether an empty selector protects pods, and any selector those without labels: kube-scheduler did not see to that
     */
    public boolean protects(Pod pod, boolean all) {
        return meta.namespace().equals(pod.meta().namespace())
                && mayProtect(all)
                && selector.matches(pod.labels())
                && protectsSelected(pod, all);
    }

    /** Whether there may be a pod that it {@link #protects}. */
    public boolean mayProtect(boolean all) {
        return !selector.matchesNothing() && (all || !selector.matchesEverything());
    }

    /** Whether it {@link #protects} a pod of its namespace that its selector is known to match. */
    public boolean protectsSelected(Pod pod, boolean all) {
        return (all || pod.labels().size() > 0)
                && !disruptedPods.contains(pod.meta().name());
    }
}
