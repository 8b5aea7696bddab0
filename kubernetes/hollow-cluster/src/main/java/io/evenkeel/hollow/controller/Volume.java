package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.Matches.MatchTerms;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.Optional;
import java.util.Set;

/** Answers what is asked of a PersistentVolume. */
record Volume(StoredObject object) {

    private static final Set<String> UNUSED = Set.of("Pending", "Available");

    static Optional<Volume> find(Registry registry, String name) {
        return registry.find(ResourceTable.PERSISTENT_VOLUMES, "", name).map(Volume::new);
    }

    static ObjectKey key(String name) {
        return new ObjectKey(ResourceTable.PERSISTENT_VOLUMES.storage(), "", name);
    }

    String name() {
        return object.name();
    }

    String annotation(String name) {
        return VolumeAnnotations.get(object.tree(), name);
    }

    Optional<ClaimReference> claim() {
        return ClaimReference.of(object.tree());
    }

    /** Where the claim is that it refers to, whether or not that is there. */
    Optional<ObjectKey> claimKey() {
        return claim().map(ClaimReference::key);
    }

    boolean isGoing() {
        return object.isGoing();
    }

    String phase() {
        return Trees.text(object.tree(), "status", "phase");
    }

    String reclaimPolicy() {
        return Trees.text(object.tree(), "spec", "persistentVolumeReclaimPolicy");
    }

    MatchTerms terms() {
        JsonObject spec = Trees.object(object.tree(), "spec").orElseGet(JsonObject::new);
        return MatchTerms.of(spec, MatchTerms.quantity(spec, "capacity", "storage"));
    }

    /** Terms of a claim that may have it, where any claim may, if it is one. */
    Optional<MatchTerms> freeTerms() {
        boolean free = claim().isEmpty() && !isGoing() && UNUSED.contains(phase());
        return free ? Optional.of(terms()) : Optional.empty();
    }

    /**
     * The claim that a volume is for.
     *
     * @param uid empty where a user keeps the volume for a claim of that name, which need not be there yet
     */
    record ClaimReference(ObjectKey key, String uid) {

        /** The one in a volume's tree. */
        static Optional<ClaimReference> of(JsonObject volume) {
            return Trees.object(volume, "spec", "claimRef")
                    .map(reference -> new ClaimReference(
                            Claim.key(Trees.text(reference, "namespace"), Trees.text(reference, "name")),
                            Trees.text(reference, "uid")));
        }

        /** Whether it means this claim, and not another that had its name before. */
        boolean means(Claim claim) {
            return key.equals(claim.key()) && (uid.isEmpty() || uid.equals(claim.uid()));
        }

        static JsonObject to(Claim claim) {
            return Trees.of(
                    "kind", "PersistentVolumeClaim",
                    "namespace", claim.key().namespace(),
                    "name", claim.key().name(),
                    "uid", claim.uid(),
                    "apiVersion", "v1",
                    "resourceVersion", Trees.text(claim.object().tree(), "metadata", "resourceVersion"));
        }
    }

    /** The annotations by which schedulers, provisioners and the binding controller talk to each other. */
    static final class VolumeAnnotations {

        /** On a claim: who shall make its volume. */
        static final String STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";

        /** Its old name, which real clusters still write too. */
        static final String OLD_STORAGE_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";

        /** On a volume: who made it, and so may delete it. */
        static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

        static final String YES = "yes";

        private VolumeAnnotations() {}

        /** The value; empty where there is none. */
        static String get(JsonObject tree, String name) {
            return Trees.text(tree, "metadata", "annotations", name);
        }

        static void set(JsonObject tree, String name, String value) {
            Trees.ensureObject(Trees.ensureObject(tree, "metadata"), "annotations")
                    .addProperty(name, value);
        }

        /** Takes one away, and the map with the last. */
        static void remove(JsonObject tree, String name) {
            Trees.object(tree, "metadata", "annotations").ifPresent(all -> {
                all.remove(name);
                if (all.isEmpty()) {
                    tree.getAsJsonObject("metadata").remove("annotations");
                }
            });
        }
    }
}
