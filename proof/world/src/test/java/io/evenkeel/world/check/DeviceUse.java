package io.evenkeel.world.check;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.kind.Kinds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Devices and claims to them, as they have been told, and by the plainest counting what is wrong about where a pod is that has
 * some. All devices of a node are alike. For example, on a node that has two:
 *
 * <pre>
 * claim a has one by what is told, and a pod with claim b to one is on its way      well
 * a pod with claim c is on its way, too                                             three devices where there are two
 * </pre>
 */
final class DeviceUse {
    private final Map<String, ResourceClaim> claims = new HashMap<>();
    private final Map<String, ResourceSlice> slices = new HashMap<>();

    DeviceUse(Told told) {
        told.all(Kinds.RESOURCE_CLAIM).forEach(claim -> claims.put(claim.key(), claim));
        told.all(Kinds.RESOURCE_SLICE)
                .forEach(slice -> slices.merge(
                        slice.pool().name(),
                        slice,
                        (one, other) -> one.pool().generation() > other.pool().generation() ? one : other));
    }

    /**
     * What is wrong about the pod's place by its claims.
     *
     * @param places all pods with claims to devices by the names of their nodes
     */
    void wrongAbout(Pod pod, Node node, Map<Pod, String> places, List<String> wrong) {
        Set<String> wanted = new HashSet<>();
        for (PodResourceClaim each : pod.spec().resourceClaims()) {
            ResourceClaim claim = claims.get(keyOf(pod, each));
            if (claim == null || claim.meta().terminating()) {
                wrong.add("there is no claim " + keyOf(pod, each));
            } else if (claim.allocation().isPresent()) {
                boolean isReached = claim.allocation()
                        .flatMap(DeviceAllocation::nodes)
                        .map(nodes -> nodes.matches(node.labels(), node.name()))
                        .orElse(true);
                if (!isReached) {
                    wrong.add("away from the devices of " + claim.key());
                }
            } else if (isBeingAllocated(claim.key(), pod, places.keySet())) {
                wrong.add("devices are found for " + claim.key() + ", for another pod");
            } else {
                wanted.add(claim.key());
            }
        }
        if (wrong.isEmpty() && !wanted.isEmpty()) {
            isEnough(node, wanted, places, wrong);
        }
    }

    private static boolean isBeingAllocated(String claim, Pod pod, Set<Pod> all) {
        return all.stream()
                .filter(other -> !other.isPlaced()
                        && !other.meta().uid().equals(pod.meta().uid()))
                .anyMatch(other -> other.spec().resourceClaims().stream()
                        .anyMatch(each -> keyOf(other, each).equals(claim)));
    }

    /** Of who is in place already, the claim says what it has. */
    private void isEnough(Node node, Set<String> wanted, Map<Pod, String> places, List<String> wrong) {
        Set<String> all = new HashSet<>(wanted);
        places.forEach((pod, place) -> {
            if (place.equals(node.name()) && !pod.isPlaced()) {
                pod.spec().resourceClaims().stream()
                        .map(each -> keyOf(pod, each))
                        .filter(key -> claims.containsKey(key)
                                && claims.get(key).allocation().isEmpty())
                        .forEach(all::add);
            }
        });
        long asked = all.stream().mapToLong(key -> count(claims.get(key))).sum();
        Set<String> free = new HashSet<>();
        if (slices.containsKey(node.name())) {
            slices.get(node.name()).devices().stream().map(Device::name).forEach(free::add);
        }
        int there = free.size();
        claims.values().stream()
                .flatMap(claim -> claim.allocation().stream())
                .flatMap(allocation -> allocation.results().stream())
                .filter(result -> result.pool().equals(node.name()))
                .forEach(result -> free.remove(result.device()));
        if (asked > free.size()) {
            wrong.add(asked + " devices for " + all + " where " + free.size() + " of " + there + " are free");
        }
    }

    private static long count(ResourceClaim claim) {
        return claim.spec().requests().getFirst().alternatives().getFirst().count();
    }

    private static String keyOf(Pod pod, PodResourceClaim claim) {
        return pod.namespace() + "/" + claim.resourceClaimName();
    }
}
