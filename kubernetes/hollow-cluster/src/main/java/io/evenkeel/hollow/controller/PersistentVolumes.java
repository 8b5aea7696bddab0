package io.evenkeel.hollow.controller;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.Volume.ClaimReference;
import io.evenkeel.hollow.controller.Volume.VolumeAnnotations;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Registry.DeleteOptions;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.json.Trees;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Binds claims and volumes, and says in a volume's phase what has become of it. A volume that is free is offered to one
 * claim that waits for such, not to all.
 */
final class PersistentVolumes implements Controller {

    private static final Set<String> GIVEN_BACK = Set.of("Released", "Failed");

    private final Registry registry;
    private final EventRecorder events;
    private final Matches matches = new Matches();
    private final ClaimBinding bond;
    private final ClaimBinder binder;

    PersistentVolumes(Registry registry, EventRecorder events) {
        this.registry = registry;
        this.events = events;
        this.bond = new ClaimBinding(registry, matches);
        this.binder = new ClaimBinder(registry, matches, bond, events);
    }

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        ObjectKey key = change.object().key();
        switch (key.table()) {
            case "persistentvolumeclaims" -> {
                matches.claims().follow(change);
                look.accept(key);
                matches.volumes().referringTo(key).forEach(look);
            }
            case "persistentvolumes" -> {
                matches.volumes().follow(change);
                look.accept(key);
                matches.claims().referringTo(key).forEach(look);
                new Volume(change.object()).claimKey().ifPresent(look);
            }
            case "storageclasses" -> {
                matches.waitingFor(key.name()).forEach(look);
                matches.waitingFor("").forEach(look); // it may have become the default
            }
            default -> {}
        }
    }

    @Override
    public void sync(ObjectKey key) {
        if (key.table().equals(ResourceTable.PERSISTENT_VOLUMES.storage())) {
            Volume.find(registry, key.name())
                    .filter(volume -> !volume.isGoing())
                    .ifPresent(this::look);
        } else {
            Claim.find(registry, key).ifPresent(binder::look);
        }
    }

    private void look(Volume volume) {
        Optional<ClaimReference> reference = volume.claim();
        if (reference.isEmpty()) {
            phase(volume, "Available");
            offer(volume);
        } else if (reference.get().uid().isEmpty()) {
            phase(volume, "Available"); // kept for a claim, which takes it when it comes
        } else {
            Optional<Claim> claim = Claim.find(registry, reference.get().key())
                    .filter(each -> reference.get().means(each));
            claim.ifPresentOrElse(each -> look(volume, each), () -> release(volume));
        }
    }

    /** The claim sees to the rest, unless it has another volume by now. */
    private void look(Volume volume, Claim claim) {
        if (claim.volume().isEmpty() || claim.volume().equals(volume.name())) {
            return;
        }
        if (isMade(volume) && volume.reclaimPolicy().equals("Delete")) {
            release(volume);
        } else {
            bond.untie(volume);
        }
    }

    /**
     * A claim may take a smaller volume that came in the same round: then this one is offered to the next. A claim that takes
     * nothing has changed meanwhile, and is looked at for that.
     */
    private void offer(Volume volume) {
        boolean waits = StorageClass.find(registry, volume.terms().shelf().storageClass())
                .filter(StorageClass::waitsForFirstConsumer)
                .isPresent();
        if (waits) {
            return;
        }
        Optional<ObjectKey> before = Optional.empty();
        Optional<ObjectKey> claim = matches.claimFor(volume);
        while (claim.isPresent() && !claim.equals(before)) {
            Claim.find(registry, claim.get()).ifPresent(binder::look);
            before = claim;
            claim = matches.claimFor(volume);
        }
    }

    private void release(Volume volume) {
        if (!GIVEN_BACK.contains(volume.phase())) {
            bond.volumePhase(volume, "Released");
        }
        if (volume.reclaimPolicy().equals("Retain")) {
            return;
        }
        if (isMade(volume) && volume.reclaimPolicy().equals("Delete")) {
            registry.delete(ResourceTable.PERSISTENT_VOLUMES, "", volume.name(), DeleteOptions.DEFAULT);
        } else if (!volume.phase().equals("Failed")) {
            bond.volumePhase(volume, "Failed");
            events.warning(
                    ResourceTable.PERSISTENT_VOLUMES,
                    volume.object(),
                    ClaimBinder.COMPONENT,
                    "VolumeFailedDelete",
                    "nobody made this volume who could " + volume.reclaimPolicy() + " it");
        }
    }

    private void phase(Volume volume, String phase) {
        if (!volume.phase().equals(phase)) {
            bond.volumePhase(volume, phase);
        }
    }

    private static boolean isMade(Volume volume) {
        return !volume.annotation(VolumeAnnotations.PROVISIONED_BY).isEmpty();
    }

    /**
     * Brings a claim to its volume: the one it names, the one that was set apart for it, the smallest free one that serves it,
     * or one that a provisioner is asked to make. A claim of a class that waits for its first consumer takes no free volume; a
     * scheduler sets one apart for it, or names the node for which to make one.
     */
    private record ClaimBinder(Registry registry, Matches matches, ClaimBinding bond, EventRecorder events) {
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
                warn(
                        claim,
                        "FailedBinding",
                        "volume \"%s\" already bound to a different claim.".formatted(volume.name()));
            } else if (volume.claim().isEmpty() && !volume.terms().serves(claim.terms())) {
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
            boolean waits =
                    storageClass.filter(StorageClass::waitsForFirstConsumer).isPresent();
            Optional<Volume> volume =
                    matches.setApartFor(claim).or(() -> waits ? Optional.empty() : matches.smallestFor(claim));
            if (volume.isPresent()) {
                bond.tie(volume.get(), claim);
            } else if (waits && claim.annotation(Annotations.SELECTED_NODE).isEmpty()) {
                say(claim, "WaitForFirstConsumer", "waiting for first consumer to be created before binding");
            } else if (claim.storageClass().isEmpty()) {
                say(
                        claim,
                        "FailedBinding",
                        "no persistent volumes available for this claim and no storage class is set");
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

    /**
     * Ties claims to volumes: the volume is given away first, so that of two who want it one fails before its claim says
     * anything. What is tied half is tied fully by the same call again, and what is tied already is not written.
     */
    private record ClaimBinding(Registry registry, Matches matches) {
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
                if (VolumeAnnotations.get(tree, Annotations.BOUND_BY_CONTROLLER).isEmpty()) {
                    Trees.object(spec, "claimRef").ifPresent(reference -> reference.remove("uid"));
                } else {
                    spec.remove("claimRef");
                    VolumeAnnotations.remove(tree, Annotations.BOUND_BY_CONTROLLER);
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
            StoredObject written = registry.edit(
                    ResourceTable.PERSISTENT_VOLUMES, volume.object().key(), edit);
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
                VolumeAnnotations.set(tree, Annotations.BOUND_BY_CONTROLLER, VolumeAnnotations.YES);
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
                VolumeAnnotations.set(tree, Annotations.BOUND_BY_CONTROLLER, VolumeAnnotations.YES);
            }
            if (VolumeAnnotations.get(tree, Annotations.BIND_COMPLETED).isEmpty()) {
                VolumeAnnotations.set(tree, Annotations.BIND_COMPLETED, VolumeAnnotations.YES);
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
}
