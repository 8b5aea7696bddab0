package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.Matches.MatchTerms;
import io.evenkeel.hollow.controller.Volume.VolumeAnnotations;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.LabelSelector;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.json.Trees;
import java.util.Optional;

/** A PersistentVolumeClaim, and what it says. */
record Claim(StoredObject object) {

    static Optional<Claim> find(Registry registry, ObjectKey key) {
        return registry.find(ResourceTable.PERSISTENT_VOLUME_CLAIMS, key).map(Claim::new);
    }

    static ObjectKey key(String namespace, String name) {
        return new ObjectKey(ResourceTable.PERSISTENT_VOLUME_CLAIMS.storage(), namespace, name);
    }

    ObjectKey key() {
        return object.key();
    }

    String uid() {
        return object.uid();
    }

    JsonObject spec() {
        return Trees.object(object.tree(), "spec").orElseGet(JsonObject::new);
    }

    /** The name of its StorageClass; empty where it has none or wants none. */
    String storageClass() {
        return Trees.text(object.tree(), "spec", "storageClassName");
    }

    /** Whether it says nothing of classes, not even that it wants none. */
    boolean leavesClassOpen() {
        return Trees.at(object.tree(), "spec", "storageClassName").isEmpty();
    }

    /** The volume that it is bound to or asks for by name; empty where it has none. */
    String volume() {
        return Trees.text(object.tree(), "spec", "volumeName");
    }

    Optional<ObjectKey> volumeKey() {
        return Optional.of(volume()).filter(name -> !name.isEmpty()).map(Volume::key);
    }

    String annotation(String name) {
        return VolumeAnnotations.get(object.tree(), name);
    }

    boolean isGoing() {
        return object.isGoing();
    }

    boolean isBound() {
        return !annotation(Annotations.BIND_COMPLETED).isEmpty();
    }

    String phase() {
        return Trees.text(object.tree(), "status", "phase");
    }

    MatchTerms terms() {
        return MatchTerms.of(spec(), MatchTerms.quantity(spec(), "resources", "requests", "storage"));
    }

    /** Terms of a volume that serves it, where any volume will do. */
    Optional<MatchTerms> waitingTerms() {
        return isBound() || isGoing() || !volume().isEmpty() ? Optional.empty() : Optional.of(terms());
    }

    /** Whether its selector, if it has one, matches a volume's labels. */
    boolean selects(Volume volume) {
        return Trees.object(object.tree(), "spec", "selector")
                .map(LabelSelector::of)
                .orElse(LabelSelector.EVERYTHING)
                .matches(volume.object().tree());
    }
}
