package io.evenkeel.tools.simulate.workload;

import com.google.gson.JsonObject;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.Templates;
import java.util.ArrayList;
import java.util.List;

/** The pods of StatefulSets, each with an ordinal and its claims. */
final class StatefulPods {
    private static final String CLAIM = "PersistentVolumeClaim";
    private static final String CLAIM_TEMPLATES = "volumeClaimTemplates";

    private final ManifestReader reader;

    StatefulPods(ManifestReader reader) {
        this.reader = reader;
    }

    Made of(Manifest manifest, Workload workload, int replicas) {
        PodTemplate template = PodTemplate.of(manifest);
        manifest.required("spec", "selector");
        JsonObject owner = template.owner(replicas);
        List<JsonObject> claims = Templates.claimTemplates(owner);
        if (Trees.array(owner, "spec", CLAIM_TEMPLATES)
                .filter(all -> all.size() > claims.size())
                .isPresent()) {
            throw manifest.mistake("spec." + CLAIM_TEMPLATES, "expected mappings");
        }
        WorkloadOwner set = (WorkloadOwner) reader.read(owner, manifest, "");
        List<KubernetesObject> objects = new ArrayList<>();
        objects.add(set);
        List<Pod> pods = new ArrayList<>();
        int start = start(owner);
        for (int ordinal = start; ordinal < start + replicas; ordinal++) {
            for (JsonObject claim : claims) {
                objects.add(claim(manifest, Templates.claim(owner, claim, ordinal)));
            }
            pods.add(reader.pod(template.pod(ordinal), manifest, PodTemplate.PATH));
        }
        if (!pods.isEmpty() && !set.selector().matches(pods.getFirst().labels())) {
            throw manifest.mistake("spec.selector", "does not match the labels of spec.template");
        }
        return new Made(
                workload,
                objects,
                pods,
                !Trees.text(owner, "spec", "podManagementPolicy").equals("Parallel"));
    }

    private static int start(JsonObject set) {
        String start = Trees.text(set, "spec", "ordinals", "start");
        return start.matches("[0-9]{1,8}") ? Integer.parseInt(start) : 0;
    }

    private KubernetesObject claim(Manifest manifest, JsonObject claim) {
        String name = Trees.text(claim, "metadata", "name");
        PodTemplate.asOfServer(claim, "v1", CLAIM, manifest.namespaceNamed(), name);
        return reader.read(claim, manifest, "spec." + CLAIM_TEMPLATES);
    }
}
