package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;

/** Guaranteed if every container limits and requests the same cpu and memory, BestEffort if none asks for any. */
final class QosClass {

    private static final List<String> COMPUTE = List.of("cpu", "memory");

    private QosClass() {}

    public static String of(JsonObject spec) {
        List<JsonObject> containers = new ArrayList<>(Trees.objects(spec, "containers"));
        containers.addAll(Trees.objects(spec, "initContainers"));
        boolean none =
                containers.stream().noneMatch(container -> asks(container, "requests") || asks(container, "limits"));
        if (none) {
            return "BestEffort";
        }
        return containers.stream().allMatch(QosClass::isGuaranteed) ? "Guaranteed" : "Burstable";
    }

    private static boolean asks(JsonObject container, String side) {
        return COMPUTE.stream()
                .anyMatch(name -> Trees.at(container, "resources", side, name).isPresent());
    }

    private static boolean isGuaranteed(JsonObject container) {
        return COMPUTE.stream().allMatch(name -> {
            String limit = Trees.text(container, "resources", "limits", name);
            return !limit.isEmpty() && limit.equals(Trees.text(container, "resources", "requests", name));
        });
    }
}
