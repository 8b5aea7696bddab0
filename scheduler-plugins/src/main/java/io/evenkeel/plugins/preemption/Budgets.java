package io.evenkeel.plugins.preemption;

import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.counting.SelectorIndex;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The PodDisruptionBudgets by the groups of pods that they select. So a pod is asked for its groups, of which it has few, and no
 * budget is asked for its pods.
 */
final class Budgets {
    private final PodTable pods;
    private final SelectorIndex selectors;
    private final boolean protectAll;
    private final Map<String, Budget> byKey = new HashMap<>();
    private final Map<SelectorGroup, List<Budget>> byGroup = new HashMap<>();
    private long questions;

    private final class Budget {
        final SelectorGroup group;
        PodDisruptionBudget latest;
        /** Whether it protects all that its selector matches, so that no pod has to be looked at. */
        boolean protectsAllSelected;
        /** How many of the pods that were asked about last use it up. */
        int used;

        long usedInQuestion;

        Budget(SelectorGroup group, PodDisruptionBudget budget) {
            this.group = group;
            become(budget);
        }

        private void become(PodDisruptionBudget budget) {
            latest = budget;
            protectsAllSelected = budget.disruptedPods().isEmpty()
                    && (protectAll || !budget.selector().matches(Labels.EMPTY));
        }
    }

    /** @param protectAll whether an empty selector protects pods, and any selector those without labels */
    Budgets(PodTable pods, SelectorIndex selectors, boolean protectAll) {
        this.pods = pods;
        this.selectors = selectors;
        this.protectAll = protectAll;
    }

    void put(PodDisruptionBudget budget) {
        Budget known = byKey.get(budget.meta().key());
        if (known != null && known.latest.selector().equals(budget.selector())) {
            known.become(budget);
            return;
        }
        remove(budget);
        if (budget.mayProtect(protectAll)) {
            Budget added = new Budget(selectors.acquire(groupOf(budget)), budget);
            byKey.put(budget.meta().key(), added);
            byGroup.computeIfAbsent(added.group, _ -> new ArrayList<>()).add(added);
        }
    }

    void remove(PodDisruptionBudget budget) {
        Budget removed = byKey.remove(budget.meta().key());
        if (removed != null) {
            byGroup.computeIfPresent(removed.group, (_, budgets) -> {
                budgets.remove(removed);
                return budgets.isEmpty() ? null : budgets;
            });
            selectors.release(removed.group);
        }
    }

    private static SelectorGroup.Key groupOf(PodDisruptionBudget budget) {
        PodMatch match = new PodMatch(NamespaceScope.only(budget.meta().namespace()), budget.selector());
        return new SelectorGroup.Key(List.of(match), true);
    }

    /** Visits the nodes with more pods of the budget than that, which may be more than it protects. */
    void forEachNodeWithMoreThan(int pods, PodDisruptionBudget budget, IntConsumer visitor) {
        Budget known = byKey.get(budget.meta().key());
        if (known != null) {
            known.group.tally().counts().forEachNode(node -> {
                if (known.group.tally().countOn(node) > pods) {
                    visitor.accept(node);
                }
            });
        }
    }

    /**
     * Marks pods, as of a node, that can not all go: where more of them have a budget than it allows, the last ones.
     *
     * @param rows if all of the first so many went, in this order
     */
    void markViolating(int[] rows, int count, boolean[] violating) {
        questions++;
        for (int i = 0; i < count; i++) {
            violating[i] = !byGroup.isEmpty() && usesUp(rows[i]);
        }
    }

    private boolean usesUp(int row) {
        boolean violates = false;
        List<SelectorGroup> groups = selectors.groupsOf(row);
        for (int i = 0; i < groups.size(); i++) {
            List<Budget> budgets = byGroup.get(groups.get(i));
            for (int j = 0; budgets != null && j < budgets.size(); j++) {
                violates |= usesUp(row, budgets.get(j));
            }
        }
        return violates;
    }

    private boolean usesUp(int row, Budget budget) {
        if (!budget.protectsAllSelected && !budget.latest.protectsSelected(pods.pod(row), protectAll)) {
            return false;
        }
        budget.used = budget.usedInQuestion == questions ? budget.used + 1 : 1;
        budget.usedInQuestion = questions;
        return budget.used > budget.latest.disruptionsAllowed();
    }

    /** The last version of each that may protect anybody. */
    List<PodDisruptionBudget> all() {
        return byKey.values().stream().map(budget -> budget.latest).toList();
    }
}
