package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.PodAdmission;
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
        Optional<PriorityClass> chosen = PodAdmission.priorityClass(
                spec, classes.get().stream().map(Priority::read).toList());
        if (!wanted.isEmpty() && chosen.isEmpty()) {
            throw Refusals.forbidden(
                    ResourceTable.PODS, podName, "no PriorityClass with name " + wanted + " was found");
        }
        Optional<Long> given = Trees.number(spec, "priority");
        PodAdmission.assign(spec, chosen);
        long priority = spec.get("priority").getAsLong();
        if (given.isPresent() && given.get() != priority) {
            throw Refusals.forbidden(
                    ResourceTable.PODS,
                    podName,
                    ("the integer value of priority (%d) must not be provided in pod spec; priority admission controller"
                                    + " computed %d from the given PriorityClass name")
                            .formatted(given.get(), priority));
        }
    }

    private static PriorityClass read(JsonObject tree) {
        return new PriorityClass(
                ObjectMeta.named("", Trees.text(tree, "metadata", "name")),
                Trees.number(tree, "value").orElse(0L).intValue(),
                Trees.isTrue(tree, "globalDefault"),
                !Trees.text(tree, "preemptionPolicy").equals("Never"));
    }
}
