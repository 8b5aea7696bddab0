package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Explains a pod that plugins for volumes turn away before any node is looked at: which of its claims is in the way,
 * and what is missing that could be added. What only the volume controller can do is no remedy.
 */
final class ClaimAnswers {
    private static final String WAITS = "waits for the volume controller to bind it";

    private final KnownVolumes known;
    private final StorageRemedies remedies;

    ClaimAnswers(ClusterView cluster) {
        known = new KnownVolumes(cluster);
        remedies = new StorageRemedies(cluster);
    }

    /** Of the claims by which no node can be found yet. */
    List<Account> accounts(Pod pod) {
        List<Account> accounts = new ArrayList<>();
        for (PodVolume volume : pod.spec().volumes()) {
            volume.claimOf(pod)
                    .flatMap(name -> trouble(pod, volume, name)
                            .map(trouble -> "claim " + KnownVolumes.claimKey(pod, name) + ": " + trouble)
                            .map(text -> account(text, pod, volume, name)))
                    .ifPresent(accounts::add);
        }
        return List.copyOf(accounts);
    }

    private Account account(String text, Pod pod, PodVolume volume, String name) {
        Optional<PersistentVolumeClaim> claim = known.claim(pod, name);
        if (claim.isEmpty()) {
            return KnownVolumes.isClaim(volume)
                    ? Account.Mistake.of(text, name, known.claimNames(pod.namespace()))
                    : new Account.Words(text);
        }
        String className = claim.get().terms().storageClass();
        boolean isOfNoClass = !claim.get().isBound()
                && claim.get().volumeName().isEmpty()
                && !className.isEmpty()
                && known.storageClass(className).isEmpty();
        return isOfNoClass ? Account.Mistake.of(text, className, known.storageClassNames()) : new Account.Words(text);
    }

    private Optional<String> trouble(Pod pod, PodVolume volume, String name) {
        boolean isMadeForPod = !KnownVolumes.isClaim(volume);
        Optional<PersistentVolumeClaim> found = known.claim(pod, name);
        if (found.isEmpty()) {
            return Optional.of(isMadeForPod ? "waits for the ephemeral volume controller to make it" : "there is none");
        }
        PersistentVolumeClaim claim = found.get();
        if (claim.isLost()) {
            return Optional.of("its volume " + claim.volumeName() + " is gone, and what was on it");
        }
        if (claim.meta().terminating()) {
            return Optional.of("it is being deleted");
        }
        if (isMadeForPod && !KnownVolumes.isMadeFor(pod, claim)) {
            return Optional.of("made for another pod, or by somebody");
        }
        return claim.isBound() ? ofBound(claim) : ofUnbound(claim);
    }

    private Optional<String> ofBound(PersistentVolumeClaim claim) {
        return known.volume(claim.volumeName()).isPresent()
                ? Optional.empty()
                : Optional.of("bound to volume " + claim.volumeName() + ", which is not there");
    }

    private Optional<String> ofUnbound(PersistentVolumeClaim claim) {
        if (!claim.volumeName().isEmpty()) {
            return Optional.of(WAITS + ", as it asks for volume " + claim.volumeName()
                    + (known.volume(claim.volumeName()).isPresent() ? "" : ", which is not there"));
        }
        String className = claim.terms().storageClass();
        if (className.isEmpty()) {
            return Optional.of(WAITS + ", as it is of no storage class");
        }
        Optional<StorageClass> storageClass = known.storageClass(className);
        if (storageClass.isEmpty()) {
            return Optional.of("its storage class " + className + " is not there");
        }
        if (storageClass.get().bindingMode().isEmpty()) {
            return Optional.of("its storage class " + className + " has no volumeBindingMode");
        }
        return storageClass.get().bindsLate()
                ? Optional.empty()
                : Optional.of(WAITS + ", as its storage class " + className + " binds at once");
    }

    /** The claims that are not there, of each class that binds late; or else the classes and volumes that claims name. */
    List<List<Change>> remedies(Pod pod) {
        List<String> missing = pod.spec().volumes().stream()
                .filter(KnownVolumes::isClaim)
                .map(PodVolume::id)
                .filter(name -> !name.isEmpty() && known.claim(pod, name).isEmpty())
                .distinct()
                .toList();
        if (!missing.isEmpty()) {
            return remedies.claims(pod.meta().namespace(), missing);
        }
        List<Change> named = new ArrayList<>();
        known.claimsOf(pod)
                .filter(claim -> claim.volumeName().isEmpty())
                .map(claim -> claim.terms().storageClass())
                .filter(name -> !name.isEmpty() && known.storageClass(name).isEmpty())
                .distinct()
                .forEach(name -> named.add(remedies.storageClass(name)));
        named.addAll(missingVolumes(pod));
        return named.isEmpty() ? List.of() : List.of(List.copyOf(named));
    }

    /** The volumes that are not there and to which claims of the pod are bound. */
    List<Change> missingVolumes(Pod pod) {
        return known.claimsOf(pod)
                .distinct()
                .filter(claim ->
                        claim.isBound() && known.volume(claim.volumeName()).isEmpty())
                .map(remedies::volumeAgain)
                .toList();
    }
}
