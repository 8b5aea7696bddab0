package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolume.ClaimReference;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.volumes.NodeSearch.VolumePlan;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The volumes that can be had, by class and from the smallest up, and those that are some claim's; with regard to what has been
 * {@link Reservations reserved} for pods and the API server does not show yet.
 */
final class VolumeBook implements ClusterIndex {
    private static final Comparator<PersistentVolume> SMALLEST_FIRST =
            Comparator.comparing(PersistentVolume::capacity).thenComparing(PersistentVolume::name);

    private final ObjectStore objects;
    private final Reservations reservations = new Reservations();
    private final Map<String, PersistentVolume> entered = new HashMap<>();
    private final Map<String, NavigableSet<PersistentVolume>> freeByClass = new HashMap<>();
    private final Map<String, NavigableSet<PersistentVolume>> byClaim = new HashMap<>();

    private VolumeBook(ObjectStore objects) {
        this.objects = objects;
    }

    static VolumeBook of(ClusterView cluster) {
        return cluster.index(VolumeBook.class, view -> new VolumeBook(view.objects()));
    }

    Optional<PersistentVolume> volume(String name) {
        return Optional.ofNullable(entered.get(name));
    }

    /** The unclaimed volumes of a class that are at least so large, the smallest first. */
    NavigableSet<PersistentVolume> free(String storageClass, Quantity size) {
        NavigableSet<PersistentVolume> all = freeByClass.get(storageClass);
        return all == null ? Collections.emptyNavigableSet() : all.tailSet(unnamed(size), true);
    }

    /** A volume to compare with, which comes before all others of its size. */
    private static PersistentVolume unnamed(Quantity size) {
        return new PersistentVolume(
                ObjectMeta.named("", ""),
                VolumeSource.OTHER,
                VolumeTerms.NONE,
                size,
                Optional.empty(),
                Optional.empty(),
                false);
    }

    /** The volumes that are a claim's of this name, the smallest first; mostly none, or one. */
    NavigableSet<PersistentVolume> ofClaim(PersistentVolumeClaim claim) {
        return byClaim.getOrDefault(claim.key(), Collections.emptyNavigableSet());
    }

    /** The claim as it will be: with the node that was chosen for it. */
    PersistentVolumeClaim withSelectedNode(PersistentVolumeClaim claim) {
        return reservations.withSelectedNode(claim);
    }

    /**
     * Keeps the plan's volumes for the pod of this UID, and keeps others that share a claim with it to the node; but for what
     * the server shows already.
     */
    void reserve(String podUid, String node, VolumePlan plan) {
        for (VolumePlan.Match match : plan.matches()) {
            String name = match.volume().name();
            if (objects.find(Kinds.PERSISTENT_VOLUME, name)
                    .filter(volume -> volume.claim().isEmpty())
                    .isPresent()) {
                reservations.reserve(podUid, match);
                enter(name);
            }
        }
        for (PersistentVolumeClaim claim : plan.toMake()) {
            if (objects.find(Kinds.PERSISTENT_VOLUME_CLAIM, claim.key())
                    .filter(now -> now.selectedNode().isEmpty())
                    .isPresent()) {
                reservations.select(podUid, claim, node);
            }
        }
    }

    /** Gives up all that was reserved for the pod; others may have reserved the same. */
    void release(String podUid, VolumePlan plan) {
        for (VolumePlan.Match match : plan.matches()) {
            reservations.release(podUid, match);
            enter(match.volume().name());
        }
        plan.toMake().forEach(claim -> reservations.deselect(podUid, claim));
    }

    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        switch (after.or(() -> before).orElseThrow()) {
            case PersistentVolume volume -> {
                reservations.saw(volume.name(), after.map(PersistentVolume.class::cast));
                enter(volume.name());
            }
            case PersistentVolumeClaim claim ->
                reservations.saw(claim.key(), after.map(PersistentVolumeClaim.class::cast), claim);
            default -> {}
        }
    }

    /** Enters the volume as it is now, in place of how it was. */
    private void enter(String name) {
        PersistentVolume before = entered.remove(name);
        if (before != null) {
            leave(before);
        }
        objects.find(Kinds.PERSISTENT_VOLUME, name).ifPresent(volume -> {
            PersistentVolume now = reservations.withClaim(volume);
            entered.put(name, now);
            enter(now);
        });
    }

    private void enter(PersistentVolume volume) {
        if (volume.claim().isPresent()) {
            byClaim.computeIfAbsent(keyOf(volume.claim().get()), _ -> new TreeSet<>(SMALLEST_FIRST))
                    .add(volume);
        } else if (isFree(volume)) {
            freeByClass
                    .computeIfAbsent(volume.terms().storageClass(), _ -> new TreeSet<>(SMALLEST_FIRST))
                    .add(volume);
        }
    }

    private void leave(PersistentVolume volume) {
        if (volume.claim().isPresent()) {
            remove(byClaim, keyOf(volume.claim().get()), volume);
        } else if (isFree(volume)) {
            remove(freeByClass, volume.terms().storageClass(), volume);
        }
    }

    private static void remove(Map<String, NavigableSet<PersistentVolume>> from, String key, PersistentVolume volume) {
        from.computeIfPresent(key, (_, volumes) -> {
            volumes.remove(volume);
            return volumes.isEmpty() ? null : volumes;
        });
    }

    private static boolean isFree(PersistentVolume volume) {
        return volume.isAvailable() && !volume.meta().terminating();
    }

    private static String keyOf(ClaimReference claim) {
        return claim.namespace() + "/" + claim.name();
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        Map<String, PersistentVolume> recounted = new TreeMap<>();
        VolumeBook anew = new VolumeBook(objects);
        for (PersistentVolume volume : objects.all(Kinds.PERSISTENT_VOLUME)) {
            PersistentVolume now = reservations.withClaim(volume);
            recounted.put(volume.name(), now);
            anew.enter(now);
        }
        differences.compare(() -> "volumes", new TreeMap<>(entered), recounted);
        differences.compare(() -> "free volumes", freeByClass, anew.freeByClass);
        differences.compare(() -> "volumes by claim", byClaim, anew.byClaim);
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        freeByClass.forEach((name, volumes) -> line.accept("free volumes of class \"" + name + "\" "
                + volumes.stream().map(PersistentVolume::name).toList()));
        byClaim.forEach((claim, volumes) -> line.accept("volumes of claim " + claim + " "
                + volumes.stream().map(PersistentVolume::name).toList()));
        reservations.describe(line);
    }

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
    private static final class Reservations {
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
}
