package io.evenkeel.plugins.volumes;

import io.evenkeel.api.Status;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sorts a pod's claims, or says why it cannot run anywhere yet. */
record ClaimReader(KnownVolumes known, VolumeBook book) {
    /** The nodes that a pod's claims allow. */
    sealed interface Answer permits PodClaims, Answer.None, Answer.Unusable {
        record None() implements Answer {}

        record Unusable(Status status) implements Answer {}
    }

    private static final Answer NONE = new Answer.None();
    private static final Answer NOT_BOUND_YET =
            new Answer.Unusable(Status.unresolvable("pod has unbound immediate PersistentVolumeClaims"));

    Answer read(Pod pod) {
        List<PersistentVolumeClaim> claims = new ArrayList<>();
        for (PodVolume volume : pod.spec().volumes()) {
            Optional<String> name = volume.claimOf(pod);
            if (name.isPresent()) {
                Optional<PersistentVolumeClaim> claim = known.claim(pod, name.get());
                Optional<String> trouble = trouble(pod, volume, name.get(), claim);
                if (trouble.isPresent()) {
                    return new Answer.Unusable(Status.unresolvable(trouble.get()));
                }
                claim.map(book::withSelectedNode).ifPresent(claims::add);
            }
        }
        return claims.isEmpty() ? NONE : sorted(claims);
    }

    /** Tells the trouble with the claim itself; empty where there is none. */
    private static Optional<String> trouble(
            Pod pod, PodVolume volume, String name, Optional<PersistentVolumeClaim> found) {
        boolean isMadeForPod = !KnownVolumes.isClaim(volume);
        if (found.isEmpty()) {
            return Optional.of(
                    isMadeForPod
                            ? "waiting for ephemeral volume controller to create the " + named(name)
                            : named(name) + " not found");
        }
        PersistentVolumeClaim claim = found.get();
        if (claim.isLost()) {
            return Optional.of(named(name) + " bound to non-existent persistentvolume \"" + claim.volumeName() + '"');
        }
        if (claim.meta().terminating()) {
            return Optional.of(named(name) + " is being deleted");
        }
        return isMadeForPod ? KnownVolumes.notMadeFor(pod, claim) : Optional.empty();
    }

    private static String named(String claim) {
        return "persistentvolumeclaim \"" + claim + '"';
    }

    private Answer sorted(List<PersistentVolumeClaim> claims) {
        List<PersistentVolumeClaim> bound = new ArrayList<>();
        List<PersistentVolumeClaim> unbound = new ArrayList<>();
        boolean isWaiting = false;
        for (PersistentVolumeClaim claim : claims) {
            if (claim.isBound()) {
                bound.add(claim);
            } else {
                Optional<StorageClass> storageClass =
                        known.storageClass(claim.terms().storageClass());
                if (storageClass.isPresent() && storageClass.get().bindingMode().isEmpty()) {
                    return new Answer.Unusable(Status.error("VolumeBindingMode not set for StorageClass \""
                            + storageClass.get().name() + '"'));
                }
                if (claim.volumeName().isEmpty()
                        && storageClass.filter(StorageClass::bindsLate).isPresent()) {
                    unbound.add(claim);
                } else {
                    isWaiting = true;
                }
            }
        }
        return isWaiting ? NOT_BOUND_YET : new PodClaims(bound, unbound);
    }

    /**
     * @param bound the claims that have their volume
     * @param unbound the claims that are bound now that there is a pod for them, by {@code WaitForFirstConsumer}
     */
    record PodClaims(List<PersistentVolumeClaim> bound, List<PersistentVolumeClaim> unbound)
            implements ClaimReader.Answer {
        PodClaims {
            bound = List.copyOf(bound);
            unbound = List.copyOf(unbound);
        }
    }
}
