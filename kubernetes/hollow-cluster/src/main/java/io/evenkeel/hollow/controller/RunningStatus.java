package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.kind.Conditions;
import io.evenkeel.model.json.Trees;
import java.util.List;

/** The status that a kubelet writes of a pod with all containers running. */
record RunningStatus(String now, String podAddress, String hostAddress) {

    private static final List<String> CONDITIONS =
            List.of("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady");

    void writeTo(JsonObject pod) {
        JsonObject status = Trees.ensureObject(pod, "status");
        status.addProperty("phase", "Running");
        CONDITIONS.forEach(type -> Conditions.put(pod, condition(type)));
        if (!isSaidToBeScheduled(status)) {
            // the maker of the pod has named its node
            Conditions.put(pod, condition("PodScheduled"));
        }
        String address = Trees.isTrue(pod, "spec", "hostNetwork") ? hostAddress : podAddress;
        status.addProperty("hostIP", hostAddress);
        status.add("hostIPs", addresses(hostAddress));
        status.addProperty("podIP", address);
        status.add("podIPs", addresses(address));
        status.addProperty("startTime", now);
        put(status, "initContainerStatuses", Trees.objects(pod, "spec", "initContainers"), true);
        put(status, "containerStatuses", Trees.objects(pod, "spec", "containers"), false);
    }

    private static boolean isSaidToBeScheduled(JsonObject status) {
        return Trees.objects(status, "conditions").stream()
                .anyMatch(condition -> Trees.text(condition, "type").equals("PodScheduled"));
    }

    private JsonObject condition(String type) {
        JsonObject condition = new JsonObject();
        condition.addProperty("type", type);
        condition.addProperty("status", "True");
        condition.add("lastProbeTime", JsonNull.INSTANCE);
        condition.addProperty("lastTransitionTime", now);
        return condition;
    }

    private void put(JsonObject status, String name, List<JsonObject> containers, boolean first) {
        JsonArray statuses = new JsonArray();
        containers.forEach(container -> statuses.add(container(container, first)));
        if (!statuses.isEmpty()) {
            status.add(name, statuses);
        }
    }

    private JsonObject container(JsonObject container, boolean first) {
        String image = Trees.text(container, "image");
        // a sidecar goes on, another init container is over when the pod runs
        boolean over = first && !Trees.text(container, "restartPolicy").equals("Always");
        JsonObject status = new JsonObject();
        status.addProperty("name", Trees.text(container, "name"));
        status.add("state", over ? terminated() : running());
        status.add("lastState", new JsonObject());
        status.addProperty("ready", true);
        status.addProperty("restartCount", 0);
        status.addProperty("image", image);
        status.addProperty("imageID", "hollow://" + image);
        status.addProperty("started", !over);
        return status;
    }

    private JsonObject running() {
        JsonObject running = new JsonObject();
        running.addProperty("startedAt", now);
        return in("running", running);
    }

    private JsonObject terminated() {
        JsonObject terminated = new JsonObject();
        terminated.addProperty("exitCode", 0);
        terminated.addProperty("reason", "Completed");
        terminated.addProperty("startedAt", now);
        terminated.addProperty("finishedAt", now);
        return in("terminated", terminated);
    }

    private static JsonObject in(String name, JsonObject state) {
        JsonObject states = new JsonObject();
        states.add(name, state);
        return states;
    }

    private static JsonArray addresses(String address) {
        JsonObject entry = new JsonObject();
        entry.addProperty("ip", address);
        JsonArray addresses = new JsonArray();
        addresses.add(entry);
        return addresses;
    }
}
