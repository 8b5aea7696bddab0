package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Copies a pod's priority from its PriorityClass, or from the one that is the default of all. */
final class Priority {

    private final Supplier<List<JsonObject>> classes;

    public Priority(Supplier<List<JsonObject>> classes) {
        this.classes = classes;
    }

    public void assign(String podName, JsonObject spec) {
        String wanted = Trees.text(spec, "priorityClassName");
        List<JsonObject> all = classes.get();
        Optional<JsonObject> chosen = wanted.isEmpty()
                ? all.stream()
                        .filter(each -> Trees.isTrue(each, "globalDefault"))
                        .findFirst()
                : all.stream()
                        .filter(each -> Trees.text(each, "metadata", "name").equals(wanted))
                        .findFirst();
        if (!wanted.isEmpty() && chosen.isEmpty()) {
            throw Refusals.forbidden(
                    ResourceTable.PODS, podName, "no PriorityClass with name " + wanted + " was found");
        }
        long priority = chosen.flatMap(each -> Trees.number(each, "value")).orElse(0L);
        Trees.number(spec, "priority").filter(given -> given != priority).ifPresent(given -> {
            throw Refusals.forbidden(
                    ResourceTable.PODS,
                    podName,
                    ("the integer value of priority (%d) must not be provided in pod spec; priority admission controller"
                                    + " computed %d from the given PriorityClass name")
                            .formatted(given, priority));
        });
        spec.addProperty("priority", priority);
        chosen.ifPresent(each -> spec.addProperty("priorityClassName", Trees.text(each, "metadata", "name")));
        Trees.fill(
                spec,
                "preemptionPolicy",
                chosen.map(each -> Trees.text(each, "preemptionPolicy"))
                        .filter(policy -> !policy.isEmpty())
                        .orElse("PreemptLowerPriority"));
    }
}
