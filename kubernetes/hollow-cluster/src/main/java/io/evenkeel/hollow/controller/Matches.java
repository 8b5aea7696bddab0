package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.store.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * Which volume a claim gets and which claim a volume. Both go by the stock, so that a thousand claims and a thousand volumes
 * find each other without each looking at all others; only selectors are tried one by one.
 */
final class Matches {

    private final VolumeIndex volumes = VolumeIndex.volumes();
    private final VolumeIndex claims = VolumeIndex.claims();

    VolumeIndex volumes() {
        return volumes;
    }

    VolumeIndex claims() {
        return claims;
    }

    /** The volume that was set apart for a claim, if it is large enough and of the right kind; its class does not matter. */
    Optional<Volume> setApartFor(Claim claim) {
        return volumes.referringTo(claim.key()).stream()
                .flatMap(key -> volumes.get(key).stream())
                .map(Volume::new)
                .filter(volume ->
                        volume.claim().filter(each -> each.means(claim)).isPresent())
                .filter(volume -> !volume.isGoing() && volume.place().holds(claim.place()))
                .findFirst();
    }

    /** The smallest free volume that serves a claim. */
    Optional<Volume> smallestFor(Claim claim) {
        return volumes.open()
                .serving(claim.place())
                .flatMap(key -> volumes.get(key).stream())
                .map(Volume::new)
                .filter(claim::selects)
                .findFirst();
    }

    /** The largest waiting claim that a volume serves, if the volume is free. */
    Optional<ObjectKey> claimFor(Volume volume) {
        return volumes.get(volume.object().key()).flatMap(known -> new Volume(known).freePlace()).stream()
                .flatMap(claims.open()::servedBy)
                .flatMap(key -> claims.get(key).stream())
                .map(Claim::new)
                .filter(claim -> claim.selects(volume))
                .map(Claim::key)
                .findFirst();
    }

    /** The claims of a StorageClass that wait for a volume. */
    List<ObjectKey> waitingFor(String storageClass) {
        return claims.open().of(storageClass);
    }
}
