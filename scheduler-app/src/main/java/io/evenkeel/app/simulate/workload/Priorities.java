package io.evenkeel.app.simulate.workload;

import com.google.gson.JsonObject;
import io.evenkeel.model.PriorityClass;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The priorities that PriorityClasses give to pods. */
public final class Priorities {
    private static final String CLASS_NAME = "priorityClassName";

    /** Classes that every cluster has. */
    private static final Map<String, Integer> BUILT_IN =
            Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

    private final Map<String, PriorityClass> classes = new HashMap<>();

    public Priorities(Collection<PriorityClass> all) {
        all.forEach(each -> classes.put(each.meta().name(), each));
    }

    /** Writes the priority of its class, or of the default one, into a pod's spec. */
    void assign(JsonObject spec, Manifest manifest, String path) {
        String named = Manifest.text(spec, CLASS_NAME);
        Optional<PriorityClass> found = named.isEmpty() ? usual() : Optional.ofNullable(classes.get(named));
        if (found.isEmpty() && !named.isEmpty() && !BUILT_IN.containsKey(named)) {
            throw manifest.mistake(path + "." + CLASS_NAME, "there is no PriorityClass \"" + named + "\"");
        }
        if (found.isEmpty() && named.isEmpty()) {
            return;
        }
        spec.addProperty("priority", found.map(PriorityClass::value).orElseGet(() -> BUILT_IN.getOrDefault(named, 0)));
        if (!spec.has("preemptionPolicy") && found.isPresent() && !found.get().preempts()) {
            spec.addProperty("preemptionPolicy", "Never");
        }
    }

    private Optional<PriorityClass> usual() {
        return classes.values().stream().filter(PriorityClass::globalDefault).findFirst();
    }
}
