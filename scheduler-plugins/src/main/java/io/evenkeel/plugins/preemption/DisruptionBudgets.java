package io.evenkeel.plugins.preemption;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many more pods may be disturbed, as it is while one pod is decided. */
final class DisruptionBudgets {
    private final Map<String, List<PodDisruptionBudget>> byNamespace = new HashMap<>();

    private DisruptionBudgets(Collection<PodDisruptionBudget> budgets) {
        budgets.forEach(budget -> byNamespace
                .computeIfAbsent(budget.meta().namespace(), _ -> new ArrayList<>())
                .add(budget));
    }

    static DisruptionBudgets of(ClusterView cluster) {
        return new DisruptionBudgets(cluster.objects().all(Kinds.POD_DISRUPTION_BUDGET));
    }

    /**
     * Those of the pods that can not all go: where more of them have a budget than it allows, the last ones.
     *
     * @param pods if all went, in this order
     */
    List<Pod> violatedBy(List<Pod> pods) {
        List<Pod> violating = new ArrayList<>();
        Map<PodDisruptionBudget, Integer> used = new HashMap<>();
        for (Pod pod : pods) {
            boolean violates = false;
            for (PodDisruptionBudget budget :
                    byNamespace.getOrDefault(pod.meta().namespace(), List.of())) {
                if (budget.protects(pod)) {
                    violates |= used.merge(budget, 1, Integer::sum) > budget.disruptionsAllowed();
                }
            }
            if (violates) {
                violating.add(pod);
            }
        }
        return violating;
    }
}
