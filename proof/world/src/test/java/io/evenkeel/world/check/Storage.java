package io.evenkeel.world.check;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeTerms;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Claims, volumes and what nodes take of them, as they have been told, and by the plainest counting what is wrong about where a
 * pod is that has some. For example, on a node that takes one volume of a driver:
 *
 * <pre>
 * pod a with claim c                        well
 * pod b with claim c too                    well: one volume
 * pod d with claim e, the driver's too      a volume too many
 * </pre>
 */
final class Storage {
    private final Told told;
    private final Map<String, PersistentVolumeClaim> claims = new HashMap<>();
    private final Map<String, PersistentVolume> volumes = new HashMap<>();
    private final Map<String, StorageClass> classes = new HashMap<>();
    private final Map<String, Map<String, Integer>> limits = new HashMap<>();

    Storage(Told told) {
        this.told = told;
        told.all(Kinds.PERSISTENT_VOLUME_CLAIM).forEach(claim -> claims.put(claim.key(), claim));
        told.all(Kinds.PERSISTENT_VOLUME).forEach(volume -> volumes.put(volume.name(), volume));
        told.all(Kinds.STORAGE_CLASS).forEach(each -> classes.put(each.name(), each));
        for (CsiNode node : told.all(Kinds.CSI_NODE)) {
            limits.put(node.meta().name(), node.limits());
        }
    }

    /** A pod's claims by their keys; of some it may be that there are no such claims. */
    private Map<String, Optional<PersistentVolumeClaim>> claimsOf(Pod pod) {
        Map<String, Optional<PersistentVolumeClaim>> its = new LinkedHashMap<>();
        pod.spec().volumes().stream()
                .flatMap(volume -> volume.claimOf(pod).stream())
                .forEach(name -> {
                    String key = pod.namespace() + "/" + name;
                    its.put(key, Optional.ofNullable(claims.get(key)));
                });
        return its;
    }

    /**
     * What is wrong about the pod's place by its claims.
     *
     * @param on the pods on the node, this one too
     * @param places all pods with claims by where they are
     */
    void wrongAbout(Pod pod, Node node, List<Pod> on, Map<Pod, Node> places, List<String> wrong) {
        claimsOf(pod)
                .forEach((key, found) -> found.ifPresentOrElse(
                        claim -> wrongAbout(claim, node, places, wrong), () -> wrong.add("there is no claim " + key)));
        if (wrong.isEmpty() && !claimsOf(pod).isEmpty()) {
            promisedTwice(places, wrong);
            wrongBesideOthers(pod, node, on, places, wrong);
        }
    }

    /** The same, but only what nobody may ever decide: beside those that are there. */
    void wrongBesideOthers(Pod pod, Node node, List<Pod> on, Map<Pod, Node> places, List<String> wrong) {
        usedByAnother(pod, places, wrong);
        tooMany(pod, node, on, wrong);
    }

    /** What is wrong about the pod's place once its claims are bound. */
    void awayFromVolumes(Pod pod, Node node, List<String> wrong) {
        claimsOf(pod)
                .forEach((key, found) -> found.filter(PersistentVolumeClaim::isBound)
                        .ifPresentOrElse(
                                claim -> wrongAbout(claim, node, Map.of(), wrong),
                                () -> wrong.add(key + " is not bound")));
    }

    /** A claim that is for one pod has one; those on nodes that are gone do not count. */
    private void usedByAnother(Pod pod, Map<Pod, Node> places, List<String> wrong) {
        claimsOf(pod).forEach((key, found) -> {
            boolean isForOne = found.filter(
                            claim -> claim.terms().accessModes().contains(VolumeTerms.READ_WRITE_ONCE_POD))
                    .isPresent();
            places.forEach((other, where) -> {
                boolean isAnother = !other.meta().uid().equals(pod.meta().uid());
                if (isForOne && isAnother && where != null && claimsOf(other).containsKey(key)) {
                    wrong.add(other.key() + " has " + key + ", which is for one pod");
                }
            });
        });
    }

    private void wrongAbout(PersistentVolumeClaim claim, Node node, Map<Pod, Node> places, List<String> wrong) {
        if (claim.isBound()) {
            boolean isReached = Optional.ofNullable(volumes.get(claim.volumeName()))
                    .filter(volume -> isReached(volume, node))
                    .isPresent();
            if (!isReached) {
                wrong.add("away from " + claim.volumeName() + ", the volume of " + claim.key());
            }
            return;
        }
        StorageClass storageClass = classes.get(claim.terms().storageClass());
        if (storageClass == null || !storageClass.bindsLate()) {
            wrong.add(claim.key() + " is not bound");
            return;
        }
        boolean isElsewhere = isOnItsWayElsewhere(claim, node, places)
                || claim.selectedNode()
                        .filter(selected -> !selected.equals(node.name()))
                        .isPresent();
        boolean hasSome = storageClass.provisions()
                || volumes.values().stream().anyMatch(volume -> mayServe(volume, claim, node));
        if (isElsewhere || !hasSome) {
            wrong.add("without a volume for " + claim.key() + (isElsewhere ? ", which is made elsewhere" : ""));
        }
    }

    /** Whether another pod that has it is on its way to another node, where it is to be then; that one may be gone meanwhile. */
    private boolean isOnItsWayElsewhere(PersistentVolumeClaim claim, Node node, Map<Pod, Node> places) {
        return places.entrySet().stream()
                .anyMatch(other -> !other.getKey().isPlaced()
                        && (other.getValue() == null || !other.getValue().name().equals(node.name()))
                        && claimsOf(other.getKey()).containsKey(claim.key())
                        && told.decides(other.getKey(), claim));
    }

    private static boolean isReached(PersistentVolume volume, Node node) {
        return volume.nodes()
                .map(nodes -> nodes.matches(node.labels(), node.name()))
                .orElse(true);
    }

    /** Where one is the claim's already, no other does. */
    private boolean mayServe(PersistentVolume volume, PersistentVolumeClaim claim, Node node) {
        boolean hasIts = volumes.values().stream().anyMatch(other -> other.isFor(claim));
        boolean isFree = volume.claim().isEmpty() && volume.isAvailable();
        return (hasIts ? volume.isFor(claim) : isFree)
                && volume.terms().storageClass().equals(claim.terms().storageClass())
                && volume.terms().accessModes().containsAll(claim.terms().accessModes())
                && isReached(volume, node);
    }

    /** Each claim of those that are bound to what there is needs a volume of its own. */
    private void promisedTwice(Map<Pod, Node> places, List<String> wrong) {
        Map<PersistentVolumeClaim, Node> wanting = new LinkedHashMap<>();
        places.forEach((pod, node) -> claimsOf(pod).values().stream()
                .flatMap(Optional::stream)
                .filter(claim -> !claim.isBound() && isFoundOnly(claim) && node != null)
                .forEach(claim -> wanting.put(claim, node)));
        if (!canServe(List.copyOf(wanting.keySet()), wanting, new HashSet<>())) {
            wrong.add("there are too few volumes for all of "
                    + wanting.keySet().stream().map(PersistentVolumeClaim::key).toList());
        }
    }

    private boolean isFoundOnly(PersistentVolumeClaim claim) {
        StorageClass storageClass = classes.get(claim.terms().storageClass());
        return storageClass != null && storageClass.bindsLate() && !storageClass.provisions();
    }

    private boolean canServe(
            List<PersistentVolumeClaim> left, Map<PersistentVolumeClaim, Node> nodes, Set<String> taken) {
        if (left.isEmpty()) {
            return true;
        }
        PersistentVolumeClaim first = left.getFirst();
        for (PersistentVolume volume : volumes.values()) {
            if (mayServe(volume, first, nodes.get(first)) && taken.add(volume.name())) {
                if (canServe(left.subList(1, left.size()), nodes, taken)) {
                    return true;
                }
                taken.remove(volume.name());
            }
        }
        return false;
    }

    /** Of a driver, counted is each volume once, however many pods of the node have it. */
    private void tooMany(Pod pod, Node node, List<Pod> on, List<String> wrong) {
        Map<String, Set<String>> before = byDriver(on.stream()
                .filter(other -> !other.meta().uid().equals(pod.meta().uid())));
        byDriver(on.stream()).forEach((driver, its) -> {
            int most = limits.getOrDefault(node.name(), Map.of()).getOrDefault(driver, Integer.MAX_VALUE);
            if (its.size() > most
                    && its.size() > before.getOrDefault(driver, Set.of()).size()) {
                wrong.add(its.size() + " volumes of " + driver + " where " + most + " are taken");
            }
        });
    }

    private Map<String, Set<String>> byDriver(Stream<Pod> pods) {
        Map<String, Set<String>> byDriver = new HashMap<>();
        pods.map(this::claimsOf)
                .flatMap(its -> its.values().stream())
                .flatMap(Optional::stream)
                .forEach(claim -> driverOf(claim)
                        .ifPresent(driver -> byDriver.computeIfAbsent(driver, _ -> new HashSet<>())
                                .add(claim.key())));
        return byDriver;
    }

    /** That of its volume, or of whoever is to make one. */
    private Optional<String> driverOf(PersistentVolumeClaim claim) {
        Optional<PersistentVolume> volume = Optional.ofNullable(volumes.get(claim.volumeName()));
        return volume.isPresent()
                ? volume.flatMap(its -> driverOf(its.source()))
                : Optional.ofNullable(classes.get(claim.terms().storageClass()))
                        .filter(StorageClass::provisions)
                        .map(StorageClass::provisioner);
    }

    private static Optional<String> driverOf(VolumeSource source) {
        return source instanceof VolumeSource.Csi(String driver, var _) ? Optional.of(driver) : Optional.empty();
    }
}
