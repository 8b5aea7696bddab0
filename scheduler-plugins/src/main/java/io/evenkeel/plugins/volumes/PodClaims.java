package io.evenkeel.plugins.volumes;

import io.evenkeel.model.storage.PersistentVolumeClaim;
import java.util.List;

/**
 * A pod's claims.
 *
 * @param bound the claims that have their volume
 * @param unbound the claims that are bound now that there is a pod for them, by {@code WaitForFirstConsumer}
 */
record PodClaims(List<PersistentVolumeClaim> bound, List<PersistentVolumeClaim> unbound) implements ClaimReader.Answer {
    PodClaims {
        bound = List.copyOf(bound);
        unbound = List.copyOf(unbound);
    }
}
