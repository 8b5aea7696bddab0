package io.evenkeel.plugins.volumes;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.volumes.ClaimReader.PodClaims;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds out for one node whether a pod's claims can be met there, and how. What {@link NodesSearch} finds for all at once. */
final class NodeSearch {
    static final Comparator<PersistentVolumeClaim> SMALLEST_FIRST = Comparator.comparing(NodeSearch::sizeOf);

    private final NodeTable nodes;
    private final KnownVolumes known;
    private final VolumeBook book;
    private final Reach reach;
    private final Capacities capacities;

    NodeSearch(ClusterView cluster, KnownVolumes known, VolumeBook book, Reach reach) {
        nodes = cluster.nodes();
        this.known = known;
        this.book = book;
        this.reach = reach;
        capacities = Capacities.of(cluster);
    }

    /**
     * @param reasons against the node
     * @param plan of use where there are none
     */
    record Found(int reasons, VolumePlan plan) {}

    Found search(PodClaims claims, int node) {
        int reasons = ofBound(claims.bound(), node);
        List<PersistentVolumeClaim> toFind = new ArrayList<>();
        List<PersistentVolumeClaim> toMake = new ArrayList<>();
        for (PersistentVolumeClaim claim : claims.unbound()) {
            Optional<String> selected = claim.selectedNode();
            if (selected.isEmpty()) {
                toFind.add(claim);
            } else if (selected.get().equals(nodes.name(node))) {
                toMake.add(claim);
            } else {
                return new Found(reasons | NodeReasons.NOTHING_TO_BIND, VolumePlan.NOTHING_TO_DO);
            }
        }
        toFind.sort(SMALLEST_FIRST);
        List<VolumePlan.Match> matches = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (PersistentVolumeClaim claim : toFind) {
            Optional<PersistentVolume> found = match(claim, node, taken);
            if (found.isPresent()) {
                taken.add(found.get().name());
                matches.add(new VolumePlan.Match(claim, found.get()));
            } else {
                toMake.add(claim);
            }
        }
        for (PersistentVolumeClaim claim : toMake) {
            int against = againstMaking(claim, node);
            if (against != NodeReasons.NONE) {
                return new Found(reasons | against, VolumePlan.NOTHING_TO_DO);
            }
        }
        return new Found(reasons, new VolumePlan(matches, toMake));
    }

    /** The claims without a volume near this node, and without one that can be made; but not claims with a chosen node. */
    List<PersistentVolumeClaim> lacking(PodClaims claims, int node) {
        List<PersistentVolumeClaim> lacking = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        claims.unbound().stream()
                .filter(claim -> claim.selectedNode().isEmpty())
                .sorted(SMALLEST_FIRST)
                .forEach(claim -> match(claim, node, taken).ifPresentOrElse(volume -> taken.add(volume.name()), () -> {
                    if (againstMaking(claim, node) != NodeReasons.NONE) {
                        lacking.add(claim);
                    }
                }));
        return List.copyOf(lacking);
    }

    private int ofBound(List<PersistentVolumeClaim> bound, int node) {
        for (PersistentVolumeClaim claim : bound) {
            Optional<PersistentVolume> volume = book.volume(claim.volumeName());
            if (volume.isEmpty()) {
                return NodeReasons.VOLUME_MISSING;
            }
            if (!reach.includesBound(volume.get(), node)) {
                return NodeReasons.OUT_OF_REACH;
            }
        }
        return NodeReasons.NONE;
    }

    /** One that is the claim's already goes before all others: it does, or none does. */
    private Optional<PersistentVolume> match(PersistentVolumeClaim claim, int node, Set<String> taken) {
        for (PersistentVolume volume : book.ofClaim(claim)) {
            if (isReserved(volume, claim) && !taken.contains(volume.name())) {
                return reach.includes(volume, node) ? Optional.of(volume) : Optional.empty();
            }
        }
        for (PersistentVolume volume : book.free(claim.terms().storageClass(), sizeOf(claim))) {
            if (!taken.contains(volume.name()) && suits(volume, claim) && reach.includes(volume, node)) {
                return Optional.of(volume);
            }
        }
        return Optional.empty();
    }

    /** Whether the claim's own volume does for it; the kind of access is checked where it was reserved. */
    static boolean isReserved(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.isFor(claim)
                && volume.capacity().compareTo(sizeOf(claim)) >= 0
                && volume.terms().storageClass().equals(claim.terms().storageClass())
                && volume.terms().mode().equals(claim.terms().mode())
                && volume.terms().attributesClass().equals(claim.terms().attributesClass())
                && !volume.meta().terminating();
    }

    /** Whether a volume that is large enough does for the claim, leaving aside where it is. */
    static boolean suits(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.terms().meet(claim.terms())
                && claim.selector()
                        .filter(selector -> !selector.matches(volume.meta().labels()))
                        .isEmpty();
    }

    private int againstMaking(PersistentVolumeClaim claim, int node) {
        Optional<StorageClass> storageClass = known.storageClass(claim.terms().storageClass());
        if (storageClass.filter(StorageClass::provisions).isEmpty() || !reach.includes(storageClass.get(), node)) {
            return NodeReasons.NOTHING_TO_BIND;
        }
        return !needsRoom(claim, storageClass.get())
                        || capacities.suffices(
                                storageClass.get().name(), sizeOf(claim).value(), node)
                ? NodeReasons.NONE
                : NodeReasons.NO_SPACE;
    }

    /** Whether the driver says where there is room for its volumes. */
    boolean needsRoom(PersistentVolumeClaim claim, StorageClass storageClass) {
        return claim.size().isPresent()
                && known.csiDriver(storageClass.provisioner())
                        .filter(driver -> driver.tellsCapacity())
                        .isPresent();
    }

    static Quantity sizeOf(PersistentVolumeClaim claim) {
        return claim.size().orElse(Quantity.ZERO);
    }

    /**
     * How a pod gets its volumes on one node.
     *
     * @param matches claims that get a volume which is there
     * @param toMake claims for which one is made near the node
     */
    record VolumePlan(List<Match> matches, List<PersistentVolumeClaim> toMake) {
        static final VolumePlan NOTHING_TO_DO = new VolumePlan(List.of(), List.of());

        record Match(PersistentVolumeClaim claim, PersistentVolume volume) {}

        VolumePlan {
            matches = List.copyOf(matches);
            toMake = List.copyOf(toMake);
        }

        boolean isNothing() {
            return matches.isEmpty() && toMake.isEmpty();
        }
    }

    /** The reasons against a node, as bits: there can be several at once. */
    static final class NodeReasons {
        static final int NONE = 0;
        static final int OUT_OF_REACH = 1;
        static final int NOTHING_TO_BIND = 2;
        static final int NO_SPACE = 4;
        static final int VOLUME_MISSING = 8;
        static final int END = 16;

        /** By bit, in the order in which they are told. */
        private static final List<String> TEXTS = List.of(
                "node(s) didn't match PersistentVolume's node affinity",
                "node(s) didn't find available persistent volumes to bind",
                "node(s) did not have enough free storage",
                "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");

        private static final Status[] STATUSES = new Status[END];

        static {
            STATUSES[NONE] = Status.SUCCESS;
            for (int reasons = NONE + 1; reasons < END; reasons++) {
                List<String> told = new ArrayList<>();
                for (int bit = 0; bit < TEXTS.size(); bit++) {
                    if ((reasons & (1 << bit)) != 0) {
                        told.add(TEXTS.get(bit));
                    }
                }
                STATUSES[reasons] = Status.unresolvable(told.toArray(String[]::new));
            }
        }

        private NodeReasons() {}

        static Status status(int reasons) {
            return STATUSES[reasons];
        }
    }
}
