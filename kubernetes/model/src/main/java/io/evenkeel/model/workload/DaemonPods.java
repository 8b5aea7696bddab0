package io.evenkeel.model.workload;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.json.Trees;
import java.util.List;

/**
 * The pods of a DaemonSet: one for each node that its template selects, with taints that it tolerates, bound to that node by an
 * affinity, for the scheduler to place.
 */
public final class DaemonPods {
    private static final String FIELD = "metadata.name";
    static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final List<String> TOLERATED_NO_EXECUTE = List.of("not-ready", "unreachable");
    private static final List<String> TOLERATED_NO_SCHEDULE =
            List.of("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable");

    private DaemonPods() {}

    /**
     * Whether a DaemonSet has a pod on the node.
     *
     * @param pod as the template says, with what such pods tolerate, and bound to no node
     */
    public static boolean shallRunOn(Node node, Pod pod) {
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

    /** Adds to a pod's spec what all such pods tolerate. */
    public static void tolerate(JsonObject spec) {
        JsonArray tolerations = Trees.ensureArray(spec, "tolerations");
        TOLERATED_NO_EXECUTE.forEach(taint -> tolerations.add(toleration(taint, "NoExecute")));
        TOLERATED_NO_SCHEDULE.forEach(taint -> tolerations.add(toleration(taint, "NoSchedule")));
        if (Trees.isTrue(spec, "hostNetwork")) {
            tolerations.add(toleration("network-unavailable", "NoSchedule"));
        }
    }

    private static JsonObject toleration(String taint, String effect) {
        return Trees.of("key", "node.kubernetes.io/" + taint, "operator", "Exists", "effect", effect);
    }

    /** Requires the node by its name, in place of what the template requires of nodes, as its controller does. */
    public static void bind(JsonObject spec, String node) {
        JsonObject requirement = Trees.of("key", FIELD, "operator", "In", "values", List.of(node));
        JsonObject term = Trees.of("matchFields", List.of(requirement));
        Trees.ensureObject(Trees.ensureObject(spec, "affinity"), "nodeAffinity")
                .add(REQUIRED, Trees.of("nodeSelectorTerms", List.of(term)));
    }

    /** The node that a pod is bound to by {@link #bind}; empty where it is to none. */
    public static String nodeOf(JsonObject pod) {
        return Trees.objects(pod, "spec", "affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms").stream()
                .flatMap(term -> Trees.objects(term, "matchFields").stream())
                .filter(requirement -> Trees.text(requirement, "key").equals(FIELD))
                .flatMap(requirement -> Trees.texts(requirement, "values").stream())
                .findFirst()
                .orElse("");
    }
}
