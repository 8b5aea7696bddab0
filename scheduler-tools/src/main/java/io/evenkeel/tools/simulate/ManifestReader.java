package io.evenkeel.tools.simulate;

import com.google.gson.JsonObject;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.workload.PodAdmission;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Reads what was made of a manifest as the objects that scheduling reads. */
final class ManifestReader {
    private static final int LONGEST = 500;

    /** Classes that every cluster has. */
    private static final List<PriorityClass> BUILT_IN = List.of(
            new PriorityClass(ObjectMeta.named("", "system-cluster-critical"), 2_000_000_000, false, true),
            new PriorityClass(ObjectMeta.named("", "system-node-critical"), 2_000_001_000, false, true));

    private final ObjectReader reader;
    private final List<PriorityClass> classes;

    ManifestReader(ObjectReader reader, Collection<PriorityClass> classes) {
        this.reader = reader;
        this.classes = new ArrayList<>(classes);
        this.classes.addAll(BUILT_IN);
    }

    /** A pod that the API server lets in first. */
    Pod pod(JsonObject tree, Manifest manifest, String path) {
        admit(tree, manifest, path.isEmpty() ? "spec" : path + ".spec");
        return (Pod) read(tree, manifest, path);
    }

    /**
     * Makes the API server's changes to a new pod.
     *
     * @param path of the pod's spec in the manifest
     */
    private void admit(JsonObject pod, Manifest manifest, String path) {
        JsonObject spec = Trees.ensureObject(pod, "spec");
        PodAdmission.fill(spec);
        Trees.object(spec, "resources").ifPresent(PodAdmission::requestLimits);
        PodAdmission.tolerateFailures(spec);
        String named = Trees.text(spec, "priorityClassName");
        Optional<PriorityClass> its = PodAdmission.priorityClass(spec, classes);
        if (its.isEmpty() && !named.isEmpty()) {
            throw manifest.mistake(path + ".priorityClassName", "there is no PriorityClass \"" + named + "\"");
        }
        if (its.isPresent()) { // else a priority stays that the manifest gives
            PodAdmission.assign(spec, its);
        }
        PodAdmission.mergeLabelKeys(pod);
    }

    /** @param path of the object in the manifest; empty for the manifest itself */
    KubernetesObject read(JsonObject tree, Manifest manifest, String path) {
        try {
            return reader.read(tree.toString());
        } catch (ObjectReadException unreadable) {
            String why = String.valueOf(unreadable.getMessage()).replaceFirst("^[A-Za-z]+ [^ ]+: ", "");
            String place = path.isEmpty() ? why : path + "." + why;
            int end = Math.max(place.indexOf(": "), 0);
            throw manifest.mistake(
                    place.substring(0, end), Excerpt.of(place.substring(Math.min(place.length(), end + 2)), LONGEST));
        }
    }
}
