package io.evenkeel.hollow.registry;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.kind.Conditions;
import io.evenkeel.hollow.resource.LabelSelector;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.TypeMeta;
import java.util.List;
import java.util.Set;

/** Deletes a pod if its disruption budget allows. Pods that do not run, or are going anyway, need no allowance. */
public final class Eviction {

    public static final TypeMeta TYPE = new TypeMeta("policy/v1", "Eviction");

    private static final Set<String> NOT_RUNNING = Set.of("Pending", "Succeeded", "Failed");

    private final Registry registry;
    private final Deletion deletion;

    public Eviction(Registry registry, Deletion deletion) {
        this.registry = registry;
        this.deletion = deletion;
    }

    public void evict(String namespace, String name, JsonObject eviction) {
        StoredObject pod = registry.get(ResourceTable.PODS, namespace, name);
        DeleteOptions options =
                DeleteOptions.read(Trees.object(eviction, "deleteOptions").orElseGet(JsonObject::new));
        if (needsAllowance(pod.tree())) {
            List<StoredObject> budgets = budgetsOf(namespace, pod);
            if (budgets.size() > 1) {
                throw Refusals.internal("This pod has more than one PodDisruptionBudget, which the eviction subresource"
                        + " does not support.");
            }
            if (!budgets.isEmpty() && !isSpare(pod.tree(), budgets.getFirst().tree())) {
                use(namespace, budgets.getFirst().key().name(), name, options.dryRun());
            }
        }
        if (!options.dryRun()) {
            registry.change(ResourceTable.PODS, namespace, name, false, this::disrupted);
        }
        deletion.delete(ResourceTable.PODS, namespace, name, options);
    }

    private static boolean needsAllowance(JsonObject pod) {
        return !NOT_RUNNING.contains(Trees.text(pod, "status", "phase"))
                && Trees.at(pod, "metadata", "deletionTimestamp").isEmpty();
    }

    private List<StoredObject> budgetsOf(String namespace, StoredObject pod) {
        return registry.store().list(ResourceTable.DISRUPTION_BUDGETS.storage(), namespace).objects().stream()
                .filter(budget -> Trees.object(budget.tree(), "spec", "selector")
                        .map(LabelSelector::of)
                        .filter(selector -> selector.matches(pod.tree()))
                        .isPresent())
                .toList();
    }

    /** A pod that is not ready costs no healthy one, as long as enough are. */
    private static boolean isSpare(JsonObject pod, JsonObject budget) {
        boolean ready = Trees.objects(pod, "status", "conditions").stream()
                .anyMatch(each -> Trees.text(each, "type").equals("Ready")
                        && Trees.text(each, "status").equals("True"));
        long healthy = Trees.number(budget, "status", "currentHealthy").orElse(0L);
        long desired = Trees.number(budget, "status", "desiredHealthy").orElse(0L);
        boolean always =
                Trees.text(budget, "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow");
        return !ready && (always || (desired > 0 && healthy >= desired));
    }

    private void use(String namespace, String budgetName, String podName, boolean dryRun) {
        registry.change(ResourceTable.DISRUPTION_BUDGETS, namespace, budgetName, dryRun, budget -> {
            JsonObject status = Trees.ensureObject(budget, "status");
            long allowed = Trees.number(status, "disruptionsAllowed").orElse(0L);
            if (allowed <= 0) {
                throw Refusals.disruptionBudget(
                        budgetName,
                        Trees.number(status, "desiredHealthy").orElse(0L),
                        Trees.number(status, "currentHealthy").orElse(0L));
            }
            status.addProperty("disruptionsAllowed", allowed - 1);
            Trees.ensureObject(status, "disruptedPods")
                    .addProperty(podName, registry.times().now());
            return budget;
        });
    }

    private JsonObject disrupted(JsonObject pod) {
        JsonObject condition = new JsonObject();
        condition.addProperty("type", "DisruptionTarget");
        condition.addProperty("status", "True");
        condition.add("lastProbeTime", JsonNull.INSTANCE);
        condition.addProperty("lastTransitionTime", registry.times().now());
        condition.addProperty("reason", "EvictionByEvictionAPI");
        condition.addProperty("message", "Eviction API: evicting");
        Conditions.put(pod, condition);
        return pod;
    }
}
