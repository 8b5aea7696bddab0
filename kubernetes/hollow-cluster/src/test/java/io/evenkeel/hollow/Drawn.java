package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import java.util.List;

/** Workloads in a line, and looks at what became of them. */
final class Drawn {

    private final HollowWorld world;

    Drawn(HollowWorld world) {
        this.world = world;
    }

    /** A Deployment or its like with one container; {@code spec} is put in front of its other members. */
    void workload(String kind, String name, int replicas, String spec) throws InterruptedException {
        world.objects().create("""
                {"apiVersion":"apps/v1","kind":"%s","metadata":{"name":"%s"},
                 "spec":{%s "replicas":%d,"selector":{"matchLabels":{"app":"%s"}},
                  "template":{"metadata":{"labels":{"app":"%s"}},
                   "spec":{"containers":[{"name":"c","image":"pause:1"}]}}}}""".formatted(kind, name, spec, replicas, name, name));
        world.settle();
    }

    void patch(ResourceType type, String name, String patch) throws InterruptedException {
        world.objects().patch(type, type.namespaced() ? "default" : "", name, patch);
        world.settle();
    }

    /** Binds all pods that wait to a node. */
    void bindAll(String node) throws InterruptedException {
        for (JsonObject pod : list(ResourceTable.PODS)) {
            if (!pod.getAsJsonObject("spec").has("nodeName")) {
                world.objects().bind("default", name(pod), node);
            }
        }
        world.settle();
    }

    /** Binds whatever waits until nothing does. */
    void bindUntilNoneWaits(String node) throws InterruptedException {
        while (list(ResourceTable.PODS).stream()
                .anyMatch(pod -> !pod.getAsJsonObject("spec").has("nodeName"))) {
            bindAll(node);
        }
    }

    List<JsonObject> list(ResourceType type) {
        return world.objects().list(type, "default").stream()
                .map(text -> JsonParser.parseString(text).getAsJsonObject())
                .toList();
    }

    List<String> names(ResourceType type) {
        return list(type).stream().map(Drawn::name).toList();
    }

    JsonObject get(ResourceType type, String name) {
        return JsonParser.parseString(world.objects()
                        .get(type, type.namespaced() ? "default" : "", name)
                        .orElseThrow())
                .getAsJsonObject();
    }

    JsonObject status(ResourceType type, String name) {
        return get(type, name).getAsJsonObject("status");
    }

    static long count(JsonObject tree, String name) {
        return tree.has(name) ? tree.get(name).getAsLong() : 0;
    }

    static String name(JsonObject object) {
        return object.getAsJsonObject("metadata").get("name").getAsString();
    }
}
