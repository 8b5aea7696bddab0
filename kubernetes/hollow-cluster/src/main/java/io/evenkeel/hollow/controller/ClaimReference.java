package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.model.json.Trees;
import java.util.Optional;

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
        JsonObject reference = new JsonObject();
        reference.addProperty("kind", "PersistentVolumeClaim");
        reference.addProperty("namespace", claim.key().namespace());
        reference.addProperty("name", claim.key().name());
        reference.addProperty("uid", claim.uid());
        reference.addProperty("apiVersion", "v1");
        reference.addProperty("resourceVersion", Trees.text(claim.object().tree(), "metadata", "resourceVersion"));
        return reference;
    }
}
