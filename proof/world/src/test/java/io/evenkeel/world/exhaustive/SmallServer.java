package io.evenkeel.world.exhaustive;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.world.check.Placements;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** An API server with what a scheduler asks of it, and the log of what has changed, a list a kind. */
final class SmallServer {
    private static final String PODS = "/api/v1/namespaces/default/pods/";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

    private final Map<String, ServedPod> pods = new TreeMap<>();
    private final Map<String, ServedNode> nodes = new TreeMap<>();
    private final Map<String, Long> versions = new TreeMap<>();
    private final Map<String, List<SchedulerEvent>> log = Map.of("Pod", new ArrayList<>(), "Node", new ArrayList<>());
    private final Placements placements;
    private final List<KubernetesObject> first;
    private Optional<JsonObject> lease = Optional.empty();
    private final Set<String> untold = new HashSet<>();
    private long version;
    private int lives;

    SmallServer(Scene scene, Placements placements) {
        this.placements = placements;
        for (int each = 0; each < Scene.NODES.size(); each++) {
            put(new ServedNode(
                    Scene.NODES.get(each), "uid-" + ++lives, scene.milliCpus().get(each)));
        }
        Scene.PODS.forEach(name -> put(new ServedPod(name, "uid-" + ++lives, "", "", scene.podSpec())));
        log.values().forEach(List::clear);
        first = all();
    }

    /** What there was in the beginning. */
    List<KubernetesObject> first() {
        return first;
    }

    /** What there is now. */
    List<KubernetesObject> all() {
        List<KubernetesObject> all = new ArrayList<>();
        nodes.values().forEach(node -> all.add(node.read(version(node.name()))));
        pods.values().forEach(pod -> all.add(pod.read(version(pod.name()))));
        return all;
    }

    private long version(String name) {
        return versions.getOrDefault(name, 0L);
    }

    /** What has changed since the beginning. */
    List<SchedulerEvent> log(String kind) {
        return log.getOrDefault(kind, List.of());
    }

    List<ServedPod> pods() {
        return List.copyOf(pods.values());
    }

    List<ServedNode> nodes() {
        return List.copyOf(nodes.values());
    }

    Optional<ServedPod> pod(String name) {
        return Optional.ofNullable(pods.get(name));
    }

    private void put(ServedPod pod) {
        versions.put(pod.name(), ++version);
        pods.put(pod.name(), pod);
        log("Pod").add(new ClusterEvent.Put(pod.read(version)));
    }

    private void put(ServedNode node) {
        versions.put(node.name(), ++version);
        nodes.put(node.name(), node);
        log("Node").add(new ClusterEvent.Put(node.read(version)));
    }

    void removePod(String name) {
        Optional.ofNullable(pods.remove(name))
                .ifPresent(pod -> log("Pod").add(new ClusterEvent.Removed(pod.read(++version))));
    }

    void removeNode(String name) {
        Optional.ofNullable(nodes.remove(name))
                .ifPresent(node -> log("Node").add(new ClusterEvent.Removed(node.read(++version))));
    }

    /** The same name, another pod. */
    void makePodAnew(String name) {
        Optional.ofNullable(pods.get(name)).ifPresent(pod -> {
            removePod(name);
            put(new ServedPod(name, "uid-" + ++lives, "", "", pod.spec()));
        });
    }

    /** The same name, another node. */
    void makeNodeAnew(String name, int milliCpu) {
        removeNode(name);
        put(new ServedNode(name, "uid-" + ++lives, milliCpu));
    }

    /** By somebody who may. */
    void bindByAnother(String name, String node) {
        placements.byAnother(true);
        Optional.ofNullable(pods.get(name)).ifPresent(pod -> bind(pod, node));
        placements.byAnother(false);
    }

    private void bind(ServedPod pod, String node) {
        ServedPod bound = pod.on(node);
        put(bound);
        placements.logged(JsonParser.parseString(bound.json(version)).getAsJsonObject());
    }

    /** Who holds the lease, as it is written; empty where nobody ever did. */
    String holder() {
        return lease.map(tree -> text(tree, "spec", "holderIdentity")).orElse("");
    }

    /** Will not have what somebody wants to say of a pod's state. */
    void refuses(ApiCall call) {
        if (call.method().equals("PATCH")) {
            untold.add(call.path());
        }
    }

    /** Whether the last that somebody wanted to say of the pod's state was refused. */
    boolean hasRefusedStatusOf(String pod) {
        return untold.contains(PODS + pod + "/status");
    }

    /** Carries the request out. */
    Answer answer(ApiCall call) {
        untold.remove(call.path());
        if (call.path().startsWith(LEASES)) {
            return ofLease(call);
        }
        String[] parts = call.path().substring(PODS.length()).split("/", -1);
        ServedPod pod = pods.get(parts[0]);
        if (pod == null) {
            return Answer.refusal(404, "NotFound", "pods", "pods \"" + parts[0] + "\" not found");
        }
        if (call.method().equals("GET")) {
            return Answer.of(pod.json(version(pod.name())));
        }
        JsonObject body = body(call);
        String uid = text(body, "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(pod.uid())) {
            return conflict("Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + pod.uid());
        }
        return call.method().equals("PATCH") ? patched(pod, body) : bound(pod, text(body, "target", "name"));
    }

    private Answer bound(ServedPod pod, String node) {
        if (!pod.node().isEmpty()) {
            return conflict("pod " + pod.name() + " is already assigned to node \"" + pod.node() + "\"");
        }
        bind(pod, node);
        return new Answer(201, "{}");
    }

    private Answer patched(ServedPod pod, JsonObject body) {
        for (JsonElement condition : body.getAsJsonObject("status").getAsJsonArray("conditions")) {
            condition.getAsJsonObject().remove("lastProbeTime");
            if (!pod.condition().equals(condition.toString())) {
                put(pod.with(condition.toString()));
            }
        }
        return Answer.of("{}");
    }

    private Answer ofLease(ApiCall call) {
        if (call.method().equals("GET")) {
            return lease.map(tree -> Answer.of(tree.toString()))
                    .orElseGet(() -> Answer.refusal(404, "NotFound", "leases", "no such lease"));
        }
        JsonObject written = body(call);
        if (!text(written, "metadata", "resourceVersion")
                .equals(lease.map(tree -> text(tree, "metadata", "resourceVersion"))
                        .orElse(""))) {
            return conflict("the lease is another version by now");
        }
        written.getAsJsonObject("metadata").addProperty("resourceVersion", Long.toString(++version));
        lease = Optional.of(written);
        return Answer.of(written.toString());
    }

    private static JsonObject body(ApiCall call) {
        return JsonParser.parseString(call.body().orElseThrow().content()).getAsJsonObject();
    }

    private static Answer conflict(String message) {
        return Answer.refusal(409, "Conflict", "pods", "Operation cannot be fulfilled: " + message);
    }

    private static String text(JsonObject tree, String part, String member) {
        JsonObject object = tree.has(part) ? tree.getAsJsonObject(part) : new JsonObject();
        return object.has(member) && !object.get(member).isJsonNull()
                ? object.get(member).getAsString()
                : "";
    }

    /** All that counts of it, whatever the versions are. */
    @Override
    public String toString() {
        return pods + " " + nodes + " " + untold + " lease of " + holder();
    }
}
