package io.evenkeel.hollow.controller;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.Volume.ClaimReference;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Ties claims to volumes: the volume is given away first, so that of two who want it one fails before its claim says
 * anything. What is tied half is tied fully by the same call again, and what is tied already is not written.
 */
record ClaimBinding(Registry registry, Matches matches) {
    private static final String BOUND = "Bound";

    void tie(Volume volume, Claim claim) {
        StoredObject given = changeVolume(volume, tree -> give(tree, volume, claim));
        changeClaim(claim, tree -> bind(tree, claim, given));
    }

    /**
     * Takes a volume back from a claim that has got another one: what the controller chose is free again, what a user set
     * apart for a name stays so.
     */
    void untie(Volume volume) {
        changeVolume(volume, tree -> {
            JsonObject spec = tree.getAsJsonObject("spec");
            if (VolumeAnnotations.get(tree, VolumeAnnotations.BOUND_BY_CONTROLLER)
                    .isEmpty()) {
                Trees.object(spec, "claimRef").ifPresent(reference -> reference.remove("uid"));
            } else {
                spec.remove("claimRef");
                VolumeAnnotations.remove(tree, VolumeAnnotations.BOUND_BY_CONTROLLER);
            }
            setPhase(tree, "Available");
        });
    }

    void volumePhase(Volume volume, String phase) {
        changeVolume(volume, tree -> setPhase(tree, phase));
    }

    /** A claim that has no volume, never had or has no more. */
    void claimPhase(Claim claim, String phase) {
        changeClaim(claim, tree -> {
            JsonObject status = setPhase(tree, phase);
            status.remove("accessModes");
            status.remove("capacity");
        });
    }

    void changeClaim(Claim claim, Consumer<JsonObject> edit) {
        matches.claims().see(registry.edit(ResourceTable.PERSISTENT_VOLUME_CLAIMS, claim.key(), edit));
    }

    private StoredObject changeVolume(Volume volume, Consumer<JsonObject> edit) {
        StoredObject written =
                registry.edit(ResourceTable.PERSISTENT_VOLUMES, volume.object().key(), edit);
        matches.volumes().see(written);
        return written;
    }

    private static void give(JsonObject tree, Volume volume, Claim claim) {
        Optional<ClaimReference> before = ClaimReference.of(tree);
        if (before.isPresent() && !before.get().means(claim)) {
            throw Refusals.modified(ResourceTable.PERSISTENT_VOLUMES, volume.name());
        }
        if (before.isEmpty() || before.get().uid().isEmpty()) {
            Trees.ensureObject(tree, "spec").add("claimRef", ClaimReference.to(claim));
        }
        if (before.isEmpty()) {
            VolumeAnnotations.set(tree, VolumeAnnotations.BOUND_BY_CONTROLLER, VolumeAnnotations.YES);
        }
        setPhase(tree, BOUND);
    }

    private static void bind(JsonObject tree, Claim claim, StoredObject volume) {
        String before = Trees.text(tree, "spec", "volumeName");
        String name = volume.name();
        boolean another = !Trees.text(tree, "metadata", "uid").equals(claim.uid());
        if (another || (!before.isEmpty() && !before.equals(name))) {
            throw Refusals.modified(
                    ResourceTable.PERSISTENT_VOLUME_CLAIMS, claim.key().name());
        }
        if (before.isEmpty()) {
            Trees.ensureObject(tree, "spec").addProperty("volumeName", name);
            VolumeAnnotations.set(tree, VolumeAnnotations.BOUND_BY_CONTROLLER, VolumeAnnotations.YES);
        }
        if (VolumeAnnotations.get(tree, VolumeAnnotations.BIND_COMPLETED).isEmpty()) {
            VolumeAnnotations.set(tree, VolumeAnnotations.BIND_COMPLETED, VolumeAnnotations.YES);
        }
        boolean first = !Trees.text(tree, "status", "phase").equals(BOUND);
        JsonObject status = setPhase(tree, BOUND);
        copy(volume.tree(), status, "accessModes");
        if (first) {
            // later the resizer says so
            copy(volume.tree(), status, "capacity");
        }
    }

    private static void copy(JsonObject volume, JsonObject status, String name) {
        Trees.at(volume, "spec", name).map(JsonElement::deepCopy).ifPresent(value -> status.add(name, value));
    }

    private static JsonObject setPhase(JsonObject tree, String phase) {
        JsonObject status = Trees.ensureObject(tree, "status");
        status.addProperty("phase", phase);
        return status;
    }
}
