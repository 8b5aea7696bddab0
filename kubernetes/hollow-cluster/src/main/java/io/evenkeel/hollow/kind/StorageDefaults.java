package io.evenkeel.hollow.kind;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.List;

/** The defaults of the kinds of storage. */
final class StorageDefaults {
    private static final List<String> CSI_DRIVER_OFF =
            List.of("podInfoOnMount", "requiresRepublish", "seLinuxMount", "storageCapacity");

    private StorageDefaults() {}

    static void storageClass(JsonObject tree) {
        Trees.object(tree, "parameters").filter(JsonObject::isEmpty).ifPresent(_ -> tree.remove("parameters"));
        Trees.fill(tree, "reclaimPolicy", "Delete");
        Trees.fill(tree, "volumeBindingMode", "Immediate");
    }

    static void claim(JsonObject tree) {
        Trees.fill(Trees.ensureObject(tree, "spec"), "volumeMode", "Filesystem");
        Trees.fill(Trees.ensureObject(tree, "status"), "phase", "Pending");
    }

    static void volume(JsonObject tree) {
        JsonObject spec = Trees.ensureObject(tree, "spec");
        Trees.fill(spec, "persistentVolumeReclaimPolicy", "Retain");
        Trees.fill(spec, "volumeMode", "Filesystem");
        Trees.fill(Trees.ensureObject(tree, "status"), "phase", "Pending");
    }

    static void csiDriver(JsonObject tree) {
        JsonObject spec = Trees.ensureObject(tree, "spec");
        if (!spec.has("attachRequired")) {
            spec.addProperty("attachRequired", true);
        }
        Trees.fill(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
        CSI_DRIVER_OFF.stream().filter(name -> !spec.has(name)).forEach(name -> spec.addProperty(name, false));
        JsonArray modes = Trees.ensureArray(spec, "volumeLifecycleModes");
        if (modes.isEmpty()) {
            modes.add("Persistent");
        }
    }
}
