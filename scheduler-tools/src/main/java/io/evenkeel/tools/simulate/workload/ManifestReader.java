package io.evenkeel.tools.simulate.workload;

import com.google.gson.JsonObject;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.read.ObjectReader;

/** Reads what was made of a manifest as the objects that scheduling reads. */
final class ManifestReader {
    private static final int LONGEST = 500;

    private final ObjectReader reader;
    private final Admission admission;

    ManifestReader(ObjectReader reader, Admission admission) {
        this.reader = reader;
        this.admission = admission;
    }

    /** A pod that the API server lets in first. */
    Pod pod(JsonObject tree, Manifest manifest, String path) {
        admission.admit(tree, manifest, path.isEmpty() ? "spec" : path + ".spec");
        return (Pod) read(tree, manifest, path);
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
