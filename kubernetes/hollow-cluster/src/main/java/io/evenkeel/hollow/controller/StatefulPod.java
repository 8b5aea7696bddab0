package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import java.util.Optional;

/** The pods of a StatefulSet's present template: which they are, and how one of an ordinal is made. */
record StatefulPod(StoredObject set, String revision) {

    private static final String REVISION = "controller-revision-hash";

    static StatefulPod of(StoredObject set) {
        JsonObject template = Trees.object(set.tree(), "spec", "template").orElseGet(JsonObject::new);
        return new StatefulPod(set, set.key().name() + "-" + TemplateHash.of(template));
    }

    /** The ordinal in a pod's name, if it is one of the set. */
    static Optional<Long> ordinal(StoredObject set, StoredObject pod) {
        String prefix = set.key().name() + "-";
        String name = pod.key().name();
        String rest = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
        return rest.matches("[0-9]{1,9}") ? Optional.of(Long.parseLong(rest)) : Optional.empty();
    }

    boolean isOf(StoredObject pod) {
        return Trees.text(pod.tree(), "metadata", "labels", REVISION).equals(revision);
    }

    JsonObject pod(long ordinal) {
        String name = set.key().name() + "-" + ordinal;
        JsonObject pod = PodFactory.fromTemplate(ResourceTable.STATEFUL_SETS, set);
        JsonObject metadata = pod.getAsJsonObject("metadata");
        metadata.addProperty("name", name);
        JsonObject labels = Trees.ensureObject(metadata, "labels");
        labels.addProperty("apps.kubernetes.io/pod-index", Long.toString(ordinal));
        labels.addProperty(REVISION, revision);
        labels.addProperty("statefulset.kubernetes.io/pod-name", name);
        JsonObject spec = pod.getAsJsonObject("spec");
        spec.addProperty("hostname", name);
        String service = Trees.text(set.tree(), "spec", "serviceName");
        if (!service.isEmpty()) {
            spec.addProperty("subdomain", service);
        }
        StatefulClaims.mount(set, ordinal, spec);
        return pod;
    }
}
