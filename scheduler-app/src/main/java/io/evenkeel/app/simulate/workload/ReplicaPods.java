package io.evenkeel.app.simulate.workload;

import com.google.gson.JsonObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The pods of Deployments, ReplicaSets and ReplicationControllers: all are alike, and made at once. */
final class ReplicaPods {
    private static final String HASH = "pod-template-hash";

    private final ManifestReader reader;

    ReplicaPods(ManifestReader reader) {
        this.reader = reader;
    }

    /** Of a Deployment, by the one ReplicaSet that its present template has. */
    Made ofDeployment(Manifest manifest, Workload workload, int replicas) {
        PodTemplate template = PodTemplate.of(manifest);
        manifest.required("spec", "selector");
        String hash = Letters.wordFor(template.tree().toString());
        String name = manifest.name() + "-" + hash;
        JsonObject set = replicaSet(manifest, name, hash, replicas);
        PodTemplate owned = template.labelled(HASH, hash).ownedBy("apps/v1", Workload.REPLICA_SET, name);
        return of(manifest, workload, (WorkloadOwner) reader.read(set, manifest, ""), owned, replicas);
    }

    /** Of what owns its pods itself. */
    Made ofSet(Manifest manifest, Workload workload, int replicas) {
        PodTemplate template = PodTemplate.of(manifest);
        JsonObject tree = manifest.tree().deepCopy();
        tree.addProperty("apiVersion", template.apiVersion());
        named(tree, manifest.namespaceNamed(), manifest.name(), template.uid());
        tree.getAsJsonObject("spec").addProperty("replicas", replicas);
        if (manifest.kind().equals(Workload.REPLICATION_CONTROLLER)
                && !tree.getAsJsonObject("spec").has("selector")) {
            tree.getAsJsonObject("spec").add("selector", PodTemplate.labels(template.tree()));
        } else {
            manifest.required("spec", "selector");
        }
        return of(manifest, workload, (WorkloadOwner) reader.read(tree, manifest, ""), template, replicas);
    }

    private Made of(Manifest manifest, Workload workload, WorkloadOwner owner, PodTemplate template, int replicas) {
        String base = template.owner() + "-";
        List<Pod> pods = new ArrayList<>(IntStream.range(0, replicas)
                .mapToObj(i -> reader.pod(template.pod(Letters.name(base, i), Map.of()), manifest, PodTemplate.PATH))
                .toList());
        Pod one = pods.isEmpty()
                ? reader.pod(template.pod(base + "none", Map.of()), manifest, PodTemplate.PATH)
                : pods.getFirst();
        if (!owner.selector().matches(one.labels())) {
            throw manifest.mistake("spec.selector", "does not match the labels of spec.template");
        }
        return new Made(workload, List.of(owner), pods, false);
    }

    private static JsonObject replicaSet(Manifest manifest, String name, String hash, int replicas) {
        String namespace = manifest.namespaceNamed();
        JsonObject set = new JsonObject();
        set.addProperty("apiVersion", "apps/v1");
        set.addProperty("kind", Workload.REPLICA_SET);
        JsonObject selector = manifest.required("spec", "selector").deepCopy();
        if (!(selector.get("matchLabels") instanceof JsonObject)) {
            selector.add("matchLabels", new JsonObject());
        }
        selector.getAsJsonObject("matchLabels").addProperty(HASH, hash);
        JsonObject spec = new JsonObject();
        spec.addProperty("replicas", replicas);
        spec.add("selector", selector);
        set.add("spec", spec);
        named(set, namespace, name, PodTemplate.uidOf(Workload.REPLICA_SET, namespace, name));
        set.getAsJsonObject("metadata")
                .add(
                        "ownerReferences",
                        PodTemplate.references(
                                "apps/v1",
                                Workload.DEPLOYMENT,
                                manifest.name(),
                                PodTemplate.uidOf(Workload.DEPLOYMENT, namespace, manifest.name())));
        return set;
    }

    /** Gives an object its place among a server's objects. */
    static void named(JsonObject tree, String namespace, String name, String uid) {
        if (!(tree.get("metadata") instanceof JsonObject)) {
            tree.add("metadata", new JsonObject());
        }
        JsonObject metadata = tree.getAsJsonObject("metadata");
        metadata.addProperty("name", name);
        metadata.addProperty("namespace", namespace);
        metadata.addProperty("uid", uid);
    }
}
