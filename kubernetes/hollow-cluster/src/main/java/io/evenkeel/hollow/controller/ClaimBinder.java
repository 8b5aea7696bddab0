package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import java.util.Optional;

/**
 * Brings a claim to its volume: the one it names, the one that was set apart for it, the smallest free one that serves it,
 * or one that a provisioner is asked to make. A claim of a class that waits for its first consumer takes no free volume; a
 * scheduler sets one apart for it, or names the node for which to make one.
 */
record ClaimBinder(Registry registry, Matches matches, ClaimBinding bond, EventRecorder events) {
    static final String COMPONENT = "persistentvolume-controller";

    void look(Claim claim) {
        if (claim.isBound()) {
            keep(claim);
        } else if (!claim.volume().isEmpty()) {
            take(claim);
        } else if (!claim.isGoing()) {
            seek(claim);
        }
    }

    /** A bound claim keeps its volume, or has lost it for good. */
    private void keep(Claim claim) {
        Optional<Volume> volume = Volume.find(registry, claim.volume());
        boolean anothers = volume.flatMap(Volume::claim)
                .filter(reference -> !reference.means(claim))
                .isPresent();
        if (volume.isPresent() && !anothers) {
            bond.tie(volume.get(), claim);
        } else if (!claim.phase().equals("Lost")) {
            bond.claimPhase(claim, "Lost");
            warn(
                    claim,
                    anothers ? "ClaimMisbound" : "ClaimLost",
                    anothers
                            ? "its volume " + claim.volume() + " is bound to another claim"
                            : "its volume is gone, and with it what was on it");
        }
    }

    /** A claim that names its volume gets that or none. */
    private void take(Claim claim) {
        Optional<Volume> named = Volume.find(registry, claim.volume());
        if (named.isEmpty()) {
            return; // it may still come
        }
        Volume volume = named.get();
        if (volume.claim().isPresent() && !volume.claim().get().means(claim)) {
            warn(claim, "FailedBinding", "volume \"%s\" already bound to a different claim.".formatted(volume.name()));
        } else if (volume.claim().isEmpty() && !volume.place().serves(claim.place())) {
            warn(
                    claim,
                    "VolumeMismatch",
                    "volume \"%s\" is too small, or of another class or mode".formatted(volume.name()));
        } else {
            bond.tie(volume, claim);
        }
    }

    private void seek(Claim claim) {
        Optional<StorageClass> byDefault =
                claim.leavesClassOpen() ? StorageClass.byDefault(registry) : Optional.empty();
        if (byDefault.isPresent()) {
            nameClass(claim, byDefault.get());
            return; // this change leads to the next look
        }
        Optional<StorageClass> storageClass = StorageClass.find(registry, claim.storageClass());
        boolean waits = storageClass.filter(StorageClass::waitsForFirstConsumer).isPresent();
        Optional<Volume> volume =
                matches.setApartFor(claim).or(() -> waits ? Optional.empty() : matches.smallestFor(claim));
        if (volume.isPresent()) {
            bond.tie(volume.get(), claim);
        } else if (waits && claim.annotation(VolumeAnnotations.SELECTED_NODE).isEmpty()) {
            say(claim, "WaitForFirstConsumer", "waiting for first consumer to be created before binding");
        } else if (claim.storageClass().isEmpty()) {
            say(claim, "FailedBinding", "no persistent volumes available for this claim and no storage class is set");
        } else {
            provision(claim, storageClass);
        }
    }

    private void nameClass(Claim claim, StorageClass byDefault) {
        bond.changeClaim(claim, tree -> {
            if (new Claim(StoredObject.unsaved(claim.key(), tree)).leavesClassOpen()) {
                tree.getAsJsonObject("spec").addProperty("storageClassName", byDefault.name());
            }
        });
    }

    private void provision(Claim claim, Optional<StorageClass> found) {
        if (found.isEmpty()) {
            warn(
                    claim,
                    "ProvisioningFailed",
                    "storageclass.storage.k8s.io \"%s\" not found".formatted(claim.storageClass()));
            return;
        }
        String provisioner = found.get().provisioner();
        if (!found.get().provisions()) {
            warn(claim, "ProvisioningFailed", "no volume fits, and %s makes none".formatted(provisioner));
        } else if (!claim.annotation(VolumeAnnotations.STORAGE_PROVISIONER).equals(provisioner)) {
            bond.changeClaim(claim, tree -> {
                VolumeAnnotations.set(tree, VolumeAnnotations.OLD_STORAGE_PROVISIONER, provisioner);
                VolumeAnnotations.set(tree, VolumeAnnotations.STORAGE_PROVISIONER, provisioner);
            });
            say(
                    claim,
                    "ExternalProvisioning",
                    ("Waiting for a volume to be created either by the external provisioner '%s' or manually by the"
                                    + " system administrator.")
                            .formatted(provisioner));
        }
    }

    private void say(Claim claim, String reason, String message) {
        events.normal(ResourceTable.PERSISTENT_VOLUME_CLAIMS, claim.object(), COMPONENT, reason, message);
    }

    private void warn(Claim claim, String reason, String message) {
        events.warning(ResourceTable.PERSISTENT_VOLUME_CLAIMS, claim.object(), COMPONENT, reason, message);
    }
}
