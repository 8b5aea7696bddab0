package io.evenkeel.tools.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.json.Trees;
import io.evenkeel.tools.simulate.Expansions.Made;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The pods of a DaemonSet: one for each node that its template selects, with taints that it tolerates, bound to that node by
 * an affinity, for the scheduler to place.
 */
record DaemonPods(ManifestReader reader, List<Node> nodes) {
    private static final String FIELD = "metadata.name";
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final List<String> TOLERATED_NO_EXECUTE = List.of("not-ready", "unreachable");
    private static final List<String> TOLERATED_NO_SCHEDULE =
            List.of("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable");

    Made of(Manifest manifest, Workload workload) {
        PodTemplate template = PodTemplate.of(manifest);
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            JsonObject tree = template.pod(Letters.name(manifest.name() + "-", i), Map.of());
            JsonObject spec = tree.getAsJsonObject("spec");
            tolerate(spec);
            Pod free = reader.pod(tree.deepCopy(), manifest, PodTemplate.PATH);
            if (shallRunOn(nodes.get(i), free)) {
                bind(spec, nodes.get(i).name());
                pods.add(reader.pod(tree, manifest, PodTemplate.PATH));
            }
        }
        return new Made(workload, List.of(), pods, false);
    }

    private static boolean shallRunOn(Node node, Pod pod) {
        return node.labels().hasAll(pod.spec().nodeSelector())
                && pod.spec()
                        .nodeAffinity()
                        .required()
                        .map(required -> required.matches(node.labels(), node.name()))
                        .orElse(true)
                && node.taints().stream().allMatch(taint -> isTolerated(taint, pod));
    }

    private static boolean isTolerated(Taint taint, Pod pod) {
        return taint.effect() == TaintEffect.PREFER_NO_SCHEDULE
                || pod.spec().tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint));
    }

    private static void tolerate(JsonObject spec) {
        JsonArray tolerations = Trees.ensureArray(spec, "tolerations");
        TOLERATED_NO_EXECUTE.forEach(taint -> tolerations.add(toleration(taint, "NoExecute")));
        TOLERATED_NO_SCHEDULE.forEach(taint -> tolerations.add(toleration(taint, "NoSchedule")));
        if (Trees.isTrue(spec, "hostNetwork")) {
            tolerations.add(toleration("network-unavailable", "NoSchedule"));
        }
    }

    private static JsonObject toleration(String taint, String effect) {
        JsonObject toleration = new JsonObject();
        toleration.addProperty("key", "node.kubernetes.io/" + taint);
        toleration.addProperty("operator", "Exists");
        toleration.addProperty("effect", effect);
        return toleration;
    }

    /** Requires the node by its name, in place of what the template requires of nodes, as its controller does. */
    private static void bind(JsonObject spec, String node) {
        JsonObject requirement = new JsonObject();
        requirement.addProperty("key", FIELD);
        requirement.addProperty("operator", "In");
        Trees.ensureArray(requirement, "values").add(node);
        JsonObject term = new JsonObject();
        Trees.ensureArray(term, "matchFields").add(requirement);
        JsonObject required = new JsonObject();
        Trees.ensureArray(required, "nodeSelectorTerms").add(term);
        Trees.ensureObject(Trees.ensureObject(spec, "affinity"), "nodeAffinity").add(REQUIRED, required);
    }
}
