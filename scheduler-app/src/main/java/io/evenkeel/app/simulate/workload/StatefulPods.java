package io.evenkeel.app.simulate.workload;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The pods of StatefulSets, each with an ordinal and its claims. */
final class StatefulPods {
    static final String INDEX = "apps.kubernetes.io/pod-index";
    static final String POD_NAME = "statefulset.kubernetes.io/pod-name";
    private static final String REVISION = "controller-revision-hash";
    private static final String CLAIM = "PersistentVolumeClaim";

    private final ManifestReader reader;

    StatefulPods(ManifestReader reader) {
        this.reader = reader;
    }

    Made of(Manifest manifest, Workload workload, int replicas) {
        PodTemplate template = PodTemplate.of(manifest);
        manifest.required("spec", "selector");
        String revision =
                manifest.name() + "-" + Letters.wordFor(template.tree().toString());
        int start = start(manifest);
        List<KubernetesObject> objects = new ArrayList<>();
        WorkloadOwner set = owner(manifest, template, replicas);
        objects.add(set);
        List<Pod> pods = new ArrayList<>();
        for (int ordinal = start; ordinal < start + replicas; ordinal++) {
            String name = manifest.name() + "-" + ordinal;
            JsonObject pod =
                    template.pod(name, Map.of(INDEX, Integer.toString(ordinal), REVISION, revision, POD_NAME, name));
            mount(manifest, name, pod.getAsJsonObject("spec"), objects);
            pods.add(reader.pod(pod, manifest, PodTemplate.PATH));
        }
        if (!pods.isEmpty() && !set.selector().matches(pods.getFirst().labels())) {
            throw manifest.mistake("spec.selector", "does not match the labels of spec.template");
        }
        boolean parallel = "Parallel".equals(Manifest.text(manifest.required("spec"), "podManagementPolicy"));
        return new Made(workload, objects, pods, !parallel);
    }

    private static int start(Manifest manifest) {
        return Manifest.object(manifest.required("spec"), "ordinals")
                .map(ordinals -> Manifest.text(ordinals, "start"))
                .filter(text -> text.matches("[0-9]{1,8}"))
                .map(Integer::parseInt)
                .orElse(0);
    }

    private WorkloadOwner owner(Manifest manifest, PodTemplate template, int replicas) {
        JsonObject tree = manifest.tree().deepCopy();
        ReplicaPods.named(tree, manifest.namespaceNamed(), manifest.name(), template.uid());
        tree.getAsJsonObject("spec").addProperty("replicas", replicas);
        return (WorkloadOwner) reader.read(tree, manifest, "");
    }

    /** Puts the claims of a pod among its volumes, in the place of volumes of the same names. */
    private void mount(Manifest manifest, String pod, JsonObject spec, List<KubernetesObject> objects) {
        if (!(manifest.required("spec").get("volumeClaimTemplates") instanceof JsonArray templates)) {
            return;
        }
        JsonArray volumes = new JsonArray();
        List<String> names = new ArrayList<>();
        for (JsonElement each : templates) {
            if (!(each instanceof JsonObject claim)) {
                throw manifest.mistake("spec.volumeClaimTemplates", "expected mappings");
            }
            String name = Manifest.object(claim, "metadata")
                    .map(meta -> Manifest.text(meta, "name"))
                    .orElse("");
            names.add(name);
            objects.add(claim(manifest, claim, name + "-" + pod));
            JsonObject source = new JsonObject();
            source.addProperty("claimName", name + "-" + pod);
            JsonObject volume = new JsonObject();
            volume.addProperty("name", name);
            volume.add("persistentVolumeClaim", source);
            volumes.add(volume);
        }
        if (spec.get("volumes") instanceof JsonArray others) {
            others.forEach(other -> {
                if (!(other instanceof JsonObject volume && names.contains(Manifest.text(volume, "name")))) {
                    volumes.add(other);
                }
            });
        }
        spec.add("volumes", volumes);
    }

    private KubernetesObject claim(Manifest manifest, JsonObject template, String name) {
        JsonObject claim = template.deepCopy();
        claim.addProperty("apiVersion", "v1");
        claim.addProperty("kind", CLAIM);
        ReplicaPods.named(
                claim, manifest.namespaceNamed(), name, PodTemplate.uidOf(CLAIM, manifest.namespaceNamed(), name));
        return reader.read(claim, manifest, "spec.volumeClaimTemplates");
    }
}
