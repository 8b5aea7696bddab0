package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.node.SparseCounts;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeSource.Csi;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The claims that pods in place have, and which volume each of them has been counted as. */
final class UsedClaims {
    private final VolumeIdentity identity;
    private final KnownVolumes known;
    private final AttachedVolumes attached;
    private final Map<String, Use> uses = new ShrinkingMap<>();
    /** The claims that name a volume, and the claims that name a class, by {@link #volumeKey} and {@link #classKey}. */
    private final Map<String, Set<String>> naming = new ShrinkingMap<>();

    private static final class Use {
        final SparseCounts.Writer pods = SparseCounts.create();
        int total;
        Optional<Csi> countedAs = Optional.empty();
        Set<String> named = Set.of();
    }

    UsedClaims(VolumeIdentity identity, KnownVolumes known, AttachedVolumes attached) {
        this.identity = identity;
        this.known = known;
        this.attached = attached;
    }

    void add(String claim, int node, int delta) {
        Use use = uses.get(claim);
        if (use == null) {
            use = new Use();
            uses.put(claim, use);
            identify(claim, use);
        }
        use.pods.add(node, delta);
        use.total += delta;
        use.countedAs.ifPresent(csi -> attached.addPods(csi, node, delta));
        if (use.total == 0) {
            uses.remove(claim);
            unname(claim, use);
        }
    }

    /** Something has changed by which the claim's volume may be another. */
    void reconsider(String claim) {
        Use use = uses.get(claim);
        if (use == null) {
            return;
        }
        Optional<Csi> before = use.countedAs;
        unname(claim, use);
        identify(claim, use);
        if (!before.equals(use.countedAs)) {
            use.pods.counts().forEachNode(node -> {
                int count = use.pods.counts().get(node);
                before.ifPresent(csi -> attached.addPods(csi, node, -count));
                use.countedAs.ifPresent(csi -> attached.addPods(csi, node, count));
            });
        }
    }

    void reconsiderAllOf(PersistentVolume volume) {
        List.copyOf(naming.getOrDefault(volumeKey(volume.name()), Set.of())).forEach(this::reconsider);
    }

    void reconsiderAllOf(StorageClass storageClass) {
        List.copyOf(naming.getOrDefault(classKey(storageClass.name()), Set.of()))
                .forEach(this::reconsider);
    }

    private void identify(String key, Use use) {
        use.countedAs = identity.ofClaim(key);
        use.named = known.claim(key).map(UsedClaims::namedBy).orElse(Set.of());
        use.named.forEach(
                name -> naming.computeIfAbsent(name, _ -> new HashSet<>()).add(key));
    }

    private void unname(String key, Use use) {
        use.named.forEach(name -> naming.computeIfPresent(name, (_, claims) -> {
            claims.remove(key);
            return claims.isEmpty() ? null : claims;
        }));
    }

    private static Set<String> namedBy(PersistentVolumeClaim claim) {
        return Set.of(volumeKey(claim.volumeName()), classKey(claim.terms().storageClass()));
    }

    private static String volumeKey(String name) {
        return "volume " + name;
    }

    private static String classKey(String name) {
        return "class " + name;
    }
}
