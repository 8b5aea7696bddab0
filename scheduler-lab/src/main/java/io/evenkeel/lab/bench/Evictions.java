package io.evenkeel.lab.bench;

import io.evenkeel.engine.Engine;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Carries out preemptions for a scheduler that sees its victims go at once: it hears of their deletion, and
 * of what the disruption controller makes of each budget then.
 */
final class Evictions {
    private final Map<String, PodDisruptionBudget> budgetsByApp = new HashMap<>();
    private final List<Pod> evicted = new ArrayList<>();

    private Evictions() {}

    /** None yet; the budgets are named like the apps that they are for. */
    static Evictions from(List<? extends KubernetesObject> objects) {
        Evictions evictions = new Evictions();
        for (KubernetesObject object : objects) {
            if (object instanceof PodDisruptionBudget budget) {
                evictions.budgetsByApp.put(budget.meta().name(), budget);
            }
        }
        return evictions;
    }

    void carryOut(List<Pod> victims, Engine engine) {
        for (Pod victim : victims) {
            engine.remove(victim);
            evicted.add(victim);
            PodDisruptionBudget budget = budgetsByApp.get(victim.labels().getOrDefault(WorkloadPods.APP, ""));
            if (budget != null && budget.disruptionsAllowed() > 0) {
                PodDisruptionBudget less = new PodDisruptionBudget(
                        budget.meta(), budget.selector(), budget.disruptionsAllowed() - 1, budget.disruptedPods());
                budgetsByApp.put(less.meta().name(), less);
                engine.put(less);
            }
        }
    }

    /** The {@code namespace/name} of the pods that went. */
    Set<String> evicted() {
        return evicted.stream().map(Pod::key).collect(Collectors.toSet());
    }
}
