package io.evenkeel.model.workload;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** What controllers make of the templates in workloads, as JSON without the owner references. */
public final class Templates {
    /** The label of pods by which the ReplicaSets of a Deployment are told apart. */
    public static final String HASH = "pod-template-hash";

    /** The label of pods by which the templates of a StatefulSet are told apart. */
    public static final String REVISION = "controller-revision-hash";

    /** The label and the annotation of pods by which those of an indexed Job are told apart. */
    public static final String JOB_INDEX = "batch.kubernetes.io/job-completion-index";

    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int FNV_OFFSET = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

    private Templates() {}

    /** A pod of the workload's template, still without a name. */
    public static JsonObject pod(JsonObject workload) {
        JsonObject pod = new JsonObject();
        JsonObject metadata = Trees.ensureObject(pod, "metadata");
        for (String map : new String[] {"labels", "annotations"}) {
            Trees.object(workload, "spec", "template", "metadata", map)
                    .ifPresent(entries -> metadata.add(map, entries.deepCopy()));
        }
        pod.add("spec", copy(workload, "spec", "template", "spec"));
        return pod;
    }

    public static JsonObject pod(JsonObject statefulSet, long ordinal) {
        String name = Trees.text(statefulSet, "metadata", "name") + "-" + ordinal;
        JsonObject pod = pod(statefulSet);
        JsonObject metadata = pod.getAsJsonObject("metadata");
        metadata.addProperty("name", name);
        JsonObject labels = Trees.ensureObject(metadata, "labels");
        labels.addProperty("apps.kubernetes.io/pod-index", Long.toString(ordinal));
        labels.addProperty(REVISION, revision(statefulSet));
        labels.addProperty("statefulset.kubernetes.io/pod-name", name);
        JsonObject spec = pod.getAsJsonObject("spec");
        spec.addProperty("hostname", name);
        String service = Trees.text(statefulSet, "spec", "serviceName");
        if (!service.isEmpty()) {
            spec.addProperty("subdomain", service);
        }
        mount(statefulSet, ordinal, spec);
        return pod;
    }

    /** The labels that a Job's pods have beside those of its template. */
    public static Map<String, String> jobLabels(String job, String uid) {
        String prefix = "batch.kubernetes.io/";
        return Map.of("job-name", job, prefix + "job-name", job, "controller-uid", uid, prefix + "controller-uid", uid);
    }

    /** A word for the present template of a StatefulSet or DaemonSet. */
    public static String revision(JsonObject statefulSet) {
        return Trees.text(statefulSet, "metadata", "name") + "-" + hash(copy(statefulSet, "spec", "template"));
    }

    /** Puts the claims of an ordinal among the volumes of its pod, in the place of volumes of the same names. */
    private static void mount(JsonObject statefulSet, long ordinal, JsonObject podSpec) {
        List<JsonObject> templates = claimTemplates(statefulSet);
        if (templates.isEmpty()) {
            return;
        }
        JsonArray volumes = new JsonArray();
        for (JsonObject template : templates) {
            JsonObject volume = new JsonObject();
            volume.addProperty("name", Trees.text(template, "metadata", "name"));
            Trees.ensureObject(volume, "persistentVolumeClaim")
                    .addProperty("claimName", claimName(statefulSet, template, ordinal));
            volumes.add(volume);
        }
        List<String> names = templates.stream()
                .map(template -> Trees.text(template, "metadata", "name"))
                .toList();
        Trees.objects(podSpec, "volumes").stream()
                .filter(volume -> !names.contains(Trees.text(volume, "name")))
                .forEach(volumes::add);
        podSpec.add("volumes", volumes);
    }

    public static List<JsonObject> claimTemplates(JsonObject statefulSet) {
        return Trees.objects(statefulSet, "spec", "volumeClaimTemplates");
    }

    public static String claimName(JsonObject statefulSet, JsonObject template, long ordinal) {
        return Trees.text(template, "metadata", "name") + "-" + Trees.text(statefulSet, "metadata", "name") + "-"
                + ordinal;
    }

    public static JsonObject claim(JsonObject statefulSet, JsonObject template, long ordinal) {
        JsonObject claim = new JsonObject();
        JsonObject metadata = Trees.ensureObject(claim, "metadata");
        metadata.addProperty("name", claimName(statefulSet, template, ordinal));
        JsonObject labels = copy(template, "metadata", "labels");
        Trees.object(statefulSet, "spec", "selector", "matchLabels")
                .ifPresent(all -> all.entrySet().forEach(label -> labels.add(label.getKey(), label.getValue())));
        metadata.add("labels", labels);
        Trees.object(template, "metadata", "annotations")
                .ifPresent(annotations -> metadata.add("annotations", annotations.deepCopy()));
        claim.add("spec", Trees.at(template, "spec").map(JsonElement::deepCopy).orElseGet(JsonObject::new));
        return claim;
    }

    /** The ReplicaSet of a Deployment's present template, without replicas. */
    public static JsonObject replicaSet(JsonObject deployment) {
        JsonObject template = copy(deployment, "spec", "template");
        String hash = hash(template);
        JsonObject labels = Trees.ensureObject(Trees.ensureObject(template, "metadata"), "labels");
        labels.addProperty(HASH, hash);
        JsonObject selector = copy(deployment, "spec", "selector");
        Trees.ensureObject(selector, "matchLabels").addProperty(HASH, hash);
        JsonObject set = new JsonObject();
        JsonObject metadata = Trees.ensureObject(set, "metadata");
        metadata.addProperty("name", Trees.text(deployment, "metadata", "name") + "-" + hash);
        metadata.add("labels", labels.deepCopy());
        JsonObject spec = Trees.ensureObject(set, "spec");
        Trees.number(deployment, "spec", "minReadySeconds")
                .ifPresent(seconds -> spec.addProperty("minReadySeconds", seconds));
        spec.add("selector", selector);
        spec.add("template", template);
        return set;
    }

    /**
     * Gives a workload without a template that of one of its pods, but for what such a pod has for itself alone.
     *
     * @param claims finds a claim of the pod's namespace by its name
     */
    public static void learn(JsonObject workload, JsonObject pod, Function<String, Optional<JsonObject>> claims) {
        JsonObject spec = copy(pod, "spec");
        String podName = Trees.text(pod, "metadata", "name");
        Trees.array(spec, "volumes")
                .ifPresent(volumes -> volumes.asList().removeIf(each -> {
                    JsonObject volume = each.getAsJsonObject();
                    String claim = Trees.text(volume, "persistentVolumeClaim", "claimName");
                    Optional<JsonObject> own = claim.endsWith("-" + podName) ? claims.apply(claim) : Optional.empty();
                    own.ifPresent(found -> {
                        JsonObject template = new JsonObject();
                        Trees.ensureObject(template, "metadata")
                                .addProperty("name", claim.substring(0, claim.length() - podName.length() - 1));
                        JsonObject ofClaim = copy(found, "spec");
                        ofClaim.remove("volumeName");
                        template.add("spec", ofClaim);
                        Trees.ensureArray(Trees.ensureObject(workload, "spec"), "volumeClaimTemplates")
                                .add(template);
                    });
                    return own.isPresent();
                }));
        List.of("nodeName", "hostname", "priority").forEach(spec::remove);
        Trees.object(spec, "affinity", "nodeAffinity")
                .filter(_ -> !DaemonPods.nodeOf(pod).isEmpty())
                .ifPresent(affinity -> affinity.remove(DaemonPods.REQUIRED));
        JsonObject labels = copy(pod, "metadata", "labels");
        List.of(REVISION, JOB_INDEX, "apps.kubernetes.io/pod-index", "statefulset.kubernetes.io/pod-name")
                .forEach(labels::remove);
        JsonObject template = new JsonObject();
        Trees.ensureObject(template, "metadata").add("labels", labels);
        template.add("spec", spec);
        Trees.ensureObject(workload, "spec").add("template", template);
    }

    /** A short word for a template's content, made of letters that pod names may hold; equal templates have equal words. */
    private static String hash(JsonObject template) {
        int hash = FNV_OFFSET;
        for (byte each : sorted(template).toString().getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * FNV_PRIME;
        }
        StringBuilder word = new StringBuilder();
        Integer.toUnsignedString(hash).chars().forEach(digit -> word.append(LETTERS.charAt(digit % LETTERS.length())));
        return word.toString();
    }

    private static JsonObject copy(JsonObject tree, String... path) {
        return Trees.object(tree, path).orElseGet(JsonObject::new).deepCopy();
    }

    private static JsonElement sorted(JsonElement element) {
        return switch (element) {
            case JsonObject object -> {
                TreeMap<String, JsonElement> members = new TreeMap<>();
                object.entrySet().forEach(member -> members.put(member.getKey(), sorted(member.getValue())));
                JsonObject result = new JsonObject();
                members.forEach(result::add);
                yield result;
            }
            case JsonArray array -> {
                JsonArray result = new JsonArray();
                array.forEach(each -> result.add(sorted(each)));
                yield result;
            }
            default -> element;
        };
    }
}
