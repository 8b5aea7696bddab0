package io.evenkeel.plugins.volumes.binding;

import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The decisions for pods on their way that the API server does not show yet: which volume is whose claim's, and near
 * which node a claim's volume is made. It goes when the server shows something of the kind, for that is true then, or when none
 * of its pods needs it any more. For example:
 *
 * <pre>
 *   pod a gets volume v for its claim c       v is c's, for a
 *   pod b with the same claim                 v is c's, for a and b
 *   a is not bound after all                  v is c's, for b
 *   the server shows v as claim d's           v is d's, and nothing is reserved of it
 * </pre>
 */
final class Reservations {
    private final Map<String, Reserved> volumes = new HashMap<>();
    private final Map<String, Selected> claims = new HashMap<>();

    private record Reserved(PersistentVolumeClaim claim, Set<String> pods) {}

    private record Selected(String claimUid, String node, Set<String> pods) {}

    void reserve(String podUid, VolumePlan.Match match) {
        volumes.computeIfAbsent(match.volume().name(), _ -> new Reserved(match.claim(), new HashSet<>()))
                .pods()
                .add(podUid);
    }

    void release(String podUid, VolumePlan.Match match) {
        volumes.computeIfPresent(match.volume().name(), (_, reserved) -> {
            reserved.pods().remove(podUid);
            return reserved.pods().isEmpty() ? null : reserved;
        });
    }

    void select(String podUid, PersistentVolumeClaim claim, String node) {
        claims.computeIfAbsent(claim.key(), _ -> new Selected(claim.meta().uid(), node, new HashSet<>()))
                .pods()
                .add(podUid);
    }

    void deselect(String podUid, PersistentVolumeClaim claim) {
        claims.computeIfPresent(claim.key(), (_, selected) -> {
            selected.pods().remove(podUid);
            return selected.pods().isEmpty() ? null : selected;
        });
    }

    /** The server shows the volume so now; empty where it is gone. */
    void saw(String name, Optional<PersistentVolume> volume) {
        if (volume.isEmpty() || volume.get().claim().isPresent()) {
            volumes.remove(name);
        }
    }

    /** The server shows the claim so now; empty where it is gone. */
    void saw(String key, Optional<PersistentVolumeClaim> now, PersistentVolumeClaim latest) {
        Selected selected = claims.get(key);
        if (selected != null
                && (now.isEmpty()
                        || latest.selectedNode().isPresent()
                        || !latest.volumeName().isEmpty()
                        || !latest.meta().uid().equals(selected.claimUid()))) {
            claims.remove(key);
        }
    }

    /** The volume as it will be. */
    PersistentVolume withClaim(PersistentVolume volume) {
        Reserved reserved = volumes.get(volume.name());
        return reserved == null || volume.isFor(reserved.claim()) ? volume : volume.boundTo(reserved.claim());
    }

    /** The claim as it will be. */
    PersistentVolumeClaim withSelectedNode(PersistentVolumeClaim claim) {
        Selected selected = claims.get(claim.key());
        return selected == null ? claim : claim.selecting(selected.node());
    }

    void describe(Consumer<String> line) {
        volumes.forEach((name, reserved) -> line.accept(
                "volume " + name + " reserved for " + reserved.claim().key() + " by " + reserved.pods()));
        claims.forEach((key, selected) ->
                line.accept("claim " + key + " to be made near " + selected.node() + " by " + selected.pods()));
    }
}
