package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Conditions;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.model.json.Trees;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Says in taints what schedulers must know of a node: that it is cordoned, not ready or not heard of. */
record NodeTaints(Registry registry) implements Controller {
    private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
    private static final String NOT_READY = "node.kubernetes.io/not-ready";
    private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
    private static final Set<String> OWN = Set.of(UNSCHEDULABLE, NOT_READY, UNREACHABLE);
    private static final String EFFECT = "NoSchedule";

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        if (change.object().key().table().equals("nodes")) {
            look.accept(change.object().key());
        }
    }

    @Override
    public void sync(ObjectKey key) {
        if (registry.find(ResourceTable.NODES, "", key.name()).isPresent()) {
            registry.change(
                    ResourceTable.NODES,
                    "",
                    key.name(),
                    false,
                    node -> tainted(node, registry.times().now()));
        }
    }

    private static JsonObject tainted(JsonObject node, String now) {
        Set<String> missing = wanted(node);
        JsonArray taints = new JsonArray();
        for (JsonObject taint : Trees.objects(node, "spec", "taints")) {
            String name = Trees.text(taint, "key");
            boolean own = OWN.contains(name) && Trees.text(taint, "effect").equals(EFFECT);
            if (!own || missing.remove(name)) {
                taints.add(taint);
            }
        }
        missing.forEach(name -> taints.add(Trees.of("key", name, "effect", EFFECT, "timeAdded", now)));
        JsonObject spec = Trees.ensureObject(node, "spec");
        spec.remove("taints");
        if (!taints.isEmpty()) {
            spec.add("taints", taints);
        }
        return node;
    }

    private static Set<String> wanted(JsonObject node) {
        Set<String> wanted = new LinkedHashSet<>();
        if (Trees.isTrue(node, "spec", "unschedulable")) {
            wanted.add(UNSCHEDULABLE);
        }
        Optional<String> ready = Conditions.status(node, "Ready");
        ready.filter("False"::equals).ifPresent(_ -> wanted.add(NOT_READY));
        ready.filter("Unknown"::equals).ifPresent(_ -> wanted.add(UNREACHABLE));
        return wanted;
    }
}
