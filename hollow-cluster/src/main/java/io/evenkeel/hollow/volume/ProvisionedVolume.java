package io.evenkeel.hollow.volume;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.kind.field.NameRules;

/** A volume as a CSI driver's provisioner writes it down: made for one claim, and as that asked. */
final class ProvisionedVolume {

    private ProvisionedVolume() {}

    /** One name a claim, so that nobody makes two volumes for it. */
    static String nameFor(Claim claim) {
        return "pvc-" + claim.uid();
    }

    static JsonObject tree(Claim claim, StorageClass storageClass, Topology topology) {
        JsonObject tree = new JsonObject();
        Trees.ensureObject(tree, "metadata").addProperty("name", nameFor(claim));
        Annotations.set(tree, Annotations.PROVISIONED_BY, storageClass.provisioner());
        JsonObject spec = Trees.ensureObject(tree, "spec");
        Trees.ensureObject(spec, "capacity")
                .addProperty("storage", claim.place().size().toString());
        boolean csi = NameRules.isDriver(storageClass.provisioner());
        spec.add(csi ? "csi" : "hostPath", csi ? source(claim, storageClass) : directory(claim));
        copy(claim.spec(), "accessModes", spec);
        spec.add("claimRef", ClaimReference.to(claim));
        spec.addProperty("persistentVolumeReclaimPolicy", Trees.text(storageClass.tree(), "reclaimPolicy"));
        spec.addProperty("storageClassName", storageClass.name());
        copy(storageClass.tree(), "mountOptions", spec);
        copy(claim.spec(), "volumeMode", spec);
        if (csi && !Trees.text(claim.spec(), "volumeAttributesClassName").isEmpty()) {
            copy(claim.spec(), "volumeAttributesClassName", spec);
        }
        topology.nodeAffinity().ifPresent(affinity -> spec.add("nodeAffinity", affinity));
        return tree;
    }

    private static JsonObject source(Claim claim, StorageClass storageClass) {
        JsonObject source = new JsonObject();
        source.addProperty("driver", storageClass.provisioner());
        source.addProperty("volumeHandle", nameFor(claim));
        if (Trees.text(claim.spec(), "volumeMode").equals("Filesystem")) {
            source.addProperty("fsType", "ext4");
        }
        return source;
    }

    /** Provisioners with a slash in their names are no CSI drivers; those that are around make directories. */
    private static JsonObject directory(Claim claim) {
        JsonObject source = new JsonObject();
        source.addProperty("path", "/var/lib/volumes/" + nameFor(claim));
        return source;
    }

    private static void copy(JsonObject from, String name, JsonObject to) {
        Trees.at(from, name).map(JsonElement::deepCopy).ifPresent(value -> to.add(name, value));
    }
}
