package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds a pod's claims, or says why it cannot run anywhere yet. */
record ClaimReader(ObjectStore objects) {
    /** The claims of a pod. */
    sealed interface Answer {
        /** All are there. A claim that was not needed after all, as its template says, is none. */
        record Claims(List<ResourceClaim> claims) implements Answer {}

        /** One is missing, or is not the pod's. */
        record Unusable(String why) implements Answer {}
    }

    Answer read(Pod pod) {
        List<PodResourceClaim> wanted = pod.spec().resourceClaims();
        List<ResourceClaim> claims = new ArrayList<>(wanted.size());
        for (PodResourceClaim each : wanted) {
            boolean isMadeForPod = each.resourceClaimName().isEmpty();
            if (isMadeForPod && each.resourceClaimTemplateName().isEmpty()) {
                return new Answer.Unusable("pod \"" + pod.key() + "\", spec.resourceClaim \"" + each.name()
                        + "\": none of the supported fields are set");
            }
            Optional<String> name = nameOf(pod, each);
            if (name.isEmpty()) {
                return new Answer.Unusable("pod \"" + pod.key() + "\": ResourceClaim not created yet");
            }
            if (!name.get().isEmpty()) {
                String key = pod.namespace() + '/' + name.get();
                Optional<ResourceClaim> claim = objects.find(Kinds.RESOURCE_CLAIM, key);
                Optional<String> trouble = trouble(pod, isMadeForPod, key, claim);
                if (trouble.isPresent()) {
                    return new Answer.Unusable(trouble.get());
                }
                claim.ifPresent(claims::add);
            }
        }
        return new Answer.Claims(List.copyOf(claims));
    }

    private static Optional<String> trouble(Pod pod, boolean isMadeForPod, String key, Optional<ResourceClaim> claim) {
        if (claim.isEmpty()) {
            return Optional.of("could not find ResourceClaim \"" + key + '"');
        }
        if (claim.get().meta().terminating()) {
            return Optional.of("resourceclaim \"" + claim.get().meta().name() + "\" is being deleted");
        }
        return isMadeForPod && !isMadeFor(pod, claim.get())
                ? Optional.of("ResourceClaim " + key + " was not created for Pod " + pod.key() + " (Pod is not owner)")
                : Optional.empty();
    }

    private static boolean isMadeFor(Pod pod, ResourceClaim claim) {
        return claim.meta()
                .controller()
                .map(OwnerReference::uid)
                .filter(pod.meta().uid()::equals)
                .isPresent();
    }

    /** The name of the object; empty text where none is needed, and nothing where one is to be made and is not yet. */
    private static Optional<String> nameOf(Pod pod, PodResourceClaim claim) {
        return claim.resourceClaimName().isEmpty()
                ? pod.status().claims().stream()
                        .filter(made -> made.name().equals(claim.name()))
                        .map(made -> made.resourceClaimName().orElse(""))
                        .findFirst()
                : Optional.of(claim.resourceClaimName());
    }

    /** The names of the pod's claims that are known, be the claims there or not. */
    static Stream<String> names(Pod pod) {
        return pod.spec().resourceClaims().stream()
                .flatMap(claim -> nameOf(pod, claim).stream())
                .filter(name -> !name.isEmpty());
    }
}
