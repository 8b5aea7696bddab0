package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import java.util.List;

/** What every cluster has from its first moment on. */
final class Bootstrap {

    private static final List<String> NAMESPACES = List.of("default", "kube-node-lease", "kube-public", "kube-system");

    private Bootstrap() {}

    static void fill(Registry registry) {
        NAMESPACES.forEach(name -> {
            registry.create(ResourceTable.NAMESPACES, "", named(name), false);
            registry.create(ResourceTable.SERVICE_ACCOUNTS, name, named("default"), false);
        });
        priorityClass(registry, "system-cluster-critical", 2_000_000_000);
        priorityClass(registry, "system-node-critical", 2_000_001_000);
        // a fresh server's watch cache begins with what it finds: older versions are gone
        registry.store().compact();
    }

    private static void priorityClass(Registry registry, String name, int value) {
        JsonObject tree = named(name);
        tree.addProperty("value", value);
        registry.create(ResourceTable.PRIORITY_CLASSES, "", tree, false);
    }

    private static JsonObject named(String name) {
        return Trees.parse("{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
    }
}
