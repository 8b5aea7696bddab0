package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.controller.Volume.ClaimReference;
import io.evenkeel.hollow.registry.DeleteOptions;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
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
    public void concerned(Change change, Consumer<ObjectKey> look) {
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
        boolean waits = StorageClass.find(registry, volume.place().shelf().storageClass())
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
}
