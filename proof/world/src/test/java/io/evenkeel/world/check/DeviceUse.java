package io.evenkeel.world.check;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceAllocation.Result;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceRequest.Wanted;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.DeviceTaintRule;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.world.life.Life;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Devices and claims to them, as they have been told, and by the plainest counting what is wrong about where a pod is that has
 * some. Which devices a claim is given the scheduler itself says; whether it may be given them is looked at here. Of a device the
 * name says of which node and kind it is. For example, on a node that has two that are plain:
 *
 * <pre>
 * claim a has one by what is told, and a pod on its way is given the other      well
 * it is given the first, or one that is tainted                                 wrong
 * a pod with claim c                                                            does not fit: none is left
 * </pre>
 */
final class DeviceUse {
    private static final long PARTS = 4;

    private final Told told;
    private final Map<String, ResourceClaim> claims = new HashMap<>();
    /** Of pools that are complete, by the names of the nodes. */
    private final Map<String, List<Device>> devices = new TreeMap<>();

    private final Set<String> classes;

    /** What is asked for together: a claim, or what stands for one. */
    private record Need(String key, List<DeviceRequest> requests) {}

    DeviceUse(Told told) {
        this.told = told;
        told.all(Kinds.RESOURCE_CLAIM).forEach(claim -> claims.put(claim.key(), claim));
        classes = told.all(Kinds.DEVICE_CLASS).stream().map(DeviceClass::name).collect(Collectors.toSet());
        told.all(Kinds.RESOURCE_SLICE).stream()
                .collect(Collectors.groupingBy(slice -> slice.pool().name()))
                .forEach((pool, slices) -> {
                    long newest = slices.stream()
                            .mapToLong(slice -> slice.pool().generation())
                            .max()
                            .orElseThrow();
                    List<ResourceSlice> current = slices.stream()
                            .filter(slice -> slice.pool().generation() == newest)
                            .toList();
                    if (current.size() == current.getFirst().pool().slices()) {
                        devices.put(
                                pool,
                                current.stream()
                                        .flatMap(slice -> slice.devices().stream())
                                        .toList());
                    }
                });
    }

    /** Whether the pod has to do with devices at all. */
    static boolean concerns(Pod pod) {
        return !pod.spec().resourceClaims().isEmpty() || asksForResource(pod).isPresent();
    }

    private static Optional<Need> asksForResource(Pod pod) {
        long count = pod.spec().containers().stream()
                .mapToLong(container -> container
                        .requests()
                        .getOrDefault(Life.GPU, Quantity.ZERO)
                        .value())
                .sum();
        Wanted wanted = new Wanted("", "gpu", List.of(), "ExactCount", count, false, List.of(), Map.of());
        return count == 0
                ? Optional.empty()
                : Optional.of(new Need(
                        pod.key() + "-extended-resources-", List.of(new DeviceRequest("all", List.of(wanted), false))));
    }

    /** Whether all claims that the pod names are there, so that it may be tried. */
    boolean mayBeTried(Pod pod) {
        return pod.spec().resourceClaims().stream()
                .allMatch(each -> keyOf(pod, each)
                        .map(claims::get)
                        .filter(claim -> !claim.meta().terminating())
                        .isPresent());
    }

    /**
     * What is wrong about the pod's place by its claims.
     *
     * @param places all pods with claims to devices by the names of their nodes
     */
    void wrongAbout(Pod pod, Node node, Map<Pod, String> places, List<String> wrong) {
        for (PodResourceClaim each : pod.spec().resourceClaims()) {
            Optional<ResourceClaim> claim = keyOf(pod, each).map(claims::get);
            if (claim.isEmpty() || claim.get().meta().terminating()) {
                wrong.add("there is no claim " + each.name());
            } else {
                wrongAbout(pod, node, claim.get(), places, wrong);
            }
        }
        asksForResource(pod).ifPresent(need -> {
            Optional<String> given = told.given().keySet().stream()
                    .filter(id -> id.startsWith(need.key))
                    .findFirst();
            if (isAnyLeft(pod)) {
                wrong.add("a claim is left that was made for it");
            } else if (given.isPresent() && !told.isDecided(pod)) {
                wrong.add("a claim that was made for it is not known to be gone");
            } else if (given.isPresent()) {
                mayBeGiven(need, given.get(), node, wrong);
            } else if (told.isDecided(pod)) {
                wrong.add("it is given nothing for " + Life.GPU);
            }
        });
        List<Need> wanted = wantedOn(node, places);
        if (wrong.isEmpty() && !told.isDecided(pod) && !isEnough(wanted, node)) {
            wrong.add("too few devices for " + wanted);
        }
    }

    private boolean isAnyLeft(Pod pod) {
        return claims.values().stream()
                .anyMatch(claim -> claim.meta().annotations().has(Annotations.EXTENDED_RESOURCE_CLAIM, "true")
                        && claim.meta()
                                .controller()
                                .map(OwnerReference::uid)
                                .filter(pod.meta().uid()::equals)
                                .isPresent());
    }

    private void wrongAbout(Pod pod, Node node, ResourceClaim claim, Map<Pod, String> places, List<String> wrong) {
        if (claim.allocation().isPresent()) {
            boolean isReached = claim.allocation()
                    .flatMap(DeviceAllocation::nodes)
                    .map(nodes -> nodes.matches(node.labels(), node.name()))
                    .orElse(true);
            if (!isReached) {
                wrong.add("away from the devices of " + claim.key());
            }
            if (isLost(claim)) {
                wrong.add("a device of " + claim.key() + " is lost");
            }
            if (!told.isDecided(pod) && told.isLate(claim) && !isReady(claim)) {
                wrong.add("a device of " + claim.key() + " was waited for too long");
            }
        } else if (isAnothers(claim, pod, places.keySet())) {
            wrong.add("devices are found for " + claim.key() + ", for another pod");
        } else if (told.given().containsKey(claim.meta().uid())) {
            if (told.isDecided(pod)) {
                mayBeGiven(
                        new Need(claim.key(), claim.spec().requests()),
                        claim.meta().uid(),
                        node,
                        wrong);
            } else {
                wrong.add("devices are kept for " + claim.key());
            }
        } else if (told.isDecided(pod)) {
            wrong.add("nothing is given to " + claim.key());
        } else if (!areKnown(claim.spec().requests())) {
            wrong.add("a class is missing of " + claim.key());
        }
    }

    private boolean areKnown(List<DeviceRequest> requests) {
        return requests.stream()
                .flatMap(request -> request.alternatives().stream())
                .allMatch(wanted -> classes.contains(wanted.deviceClass()));
    }

    private static boolean isLost(ResourceClaim claim) {
        return claim.devices().stream()
                .flatMap(state -> state.conditions().stream())
                .anyMatch(condition -> condition.type().equals("Lost"));
    }

    private static boolean isReady(ResourceClaim claim) {
        return claim.allocation().stream()
                .flatMap(allocation -> allocation.results().stream())
                .filter(result -> !result.bindingConditions().isEmpty())
                .allMatch(result -> claim.devices().stream()
                        .filter(state -> state.device().equals(result.device()))
                        .flatMap(state -> state.conditions().stream())
                        .anyMatch(condition -> condition.type().equals("Attached")));
    }

    private boolean isAnothers(ResourceClaim claim, Pod pod, Set<Pod> all) {
        return all.stream()
                .filter(other -> !other.isPlaced()
                        && told.decides(other, claim)
                        && !other.meta().uid().equals(pod.meta().uid()))
                .anyMatch(other -> other.spec().resourceClaims().stream()
                        .anyMatch(each -> keyOf(other, each).equals(Optional.of(claim.key()))));
    }

    // ---- devices that the scheduler says it has given

    /** Those that it has kept for longer may have changed since. */
    private void mayBeGiven(Need need, String id, Node node, List<String> wrong) {
        Set<String> names = told.given().get(id);
        if (names.stream().anyMatch(name -> !nodeOf(name).equals(node.name()))) {
            wrong.add("away from " + names + ", which are kept for " + need.key);
        } else if (told.isNewlyGiven(id)) {
            List<Device> published = devices.getOrDefault(node.name(), List.of()).stream()
                    .filter(device -> names.contains(device.name()))
                    .toList();
            boolean areRight = published.size() == names.size()
                    && need.requests.stream()
                            .flatMap(request -> request.alternatives().stream())
                            .anyMatch(wanted -> wanted.count() == published.size()
                                    && published.stream().allMatch(device -> suits(device, wanted)));
            if (!areRight || !areKnown(need.requests)) {
                wrong.add("given are " + names + " for " + need + " of " + published);
            }
            if (names.stream().anyMatch(DeviceUse::isHalf) && halvesInUse(node) > 1) {
                wrong.add("given are " + names + ", and another half of the card is in use");
            }
            names.stream()
                    .filter(name -> usage(name) > PARTS)
                    .forEach(name -> wrong.add(name + " is given to more than one"));
        }
    }

    private static boolean isHalf(String device) {
        return kindOf(device).equals("half");
    }

    private long halvesInUse(Node node) {
        return devices.getOrDefault(node.name(), List.of()).stream()
                .filter(device -> isHalf(device.name()) && usage(device.name()) > 0)
                .count();
    }

    /** How many parts of it claims have: five and more where one has all, and another some. */
    private long usage(String device) {
        long parts = 0;
        for (ResourceClaim claim : claims.values()) {
            String id = claim.meta().uid();
            if (claim.allocation().isPresent()) {
                parts += claim.allocation().get().results().stream()
                        .filter(result -> result.device().equals(device))
                        .mapToLong(DeviceUse::parts)
                        .sum();
            } else if (told.given().getOrDefault(id, Set.of()).contains(device)
                    || told.given().getOrDefault(claim.key(), Set.of()).contains(device)) {
                parts += kindOf(device).equals("shared")
                        ? parts(claim.spec().requests().getFirst())
                        : PARTS;
            }
        }
        Set<String> known = claims.values().stream()
                .flatMap(claim -> Stream.of(claim.meta().uid(), claim.key()))
                .collect(Collectors.toSet());
        for (Map.Entry<String, Set<String>> each : told.given().entrySet()) {
            if (!known.contains(each.getKey()) && each.getValue().contains(device)) {
                parts += PARTS;
            }
        }
        return parts;
    }

    private static long parts(Result result) {
        return result.consumed().values().stream()
                .findFirst()
                .map(Quantity::value)
                .orElse(PARTS);
    }

    private static long parts(DeviceRequest request) {
        return parts(request.alternatives().getFirst());
    }

    private static long parts(Wanted wanted) {
        return wanted.capacity().values().stream()
                .findFirst()
                .map(Quantity::value)
                .orElse(PARTS);
    }

    // ---- devices that there would have to be

    /** Of who is in place or on its way already, it is said what it has. */
    private List<Need> wantedOn(Node node, Map<Pod, String> places) {
        Map<String, Need> wanted = new TreeMap<>();
        places.forEach((pod, place) -> {
            if (place.equals(node.name()) && !pod.isPlaced() && !told.isDecided(pod)) {
                pod.spec().resourceClaims().stream()
                        .flatMap(each -> keyOf(pod, each).map(claims::get).stream())
                        .filter(claim -> claim.allocation().isEmpty()
                                && !told.given().containsKey(claim.meta().uid()))
                        .forEach(claim -> wanted.put(
                                claim.key(), new Need(claim.key(), claim.spec().requests())));
                asksForResource(pod).ifPresent(need -> wanted.put(need.key, need));
            }
        });
        return List.copyOf(wanted.values());
    }

    /**
     * While devices are looked for, a half that a taint keeps away takes its card away all the same, as with kube-scheduler. Whether
     * the other half is had then depends on which comes first, so nobody counts on it.
     */
    private boolean isEnough(List<Need> wanted, Node node) {
        List<DeviceRequest> requests =
                wanted.stream().flatMap(need -> need.requests.stream()).toList();
        List<Device> published = devices.getOrDefault(node.name(), List.of());
        boolean isCardUncertain = published.stream()
                .filter(device -> isHalf(device.name()))
                .anyMatch(half -> requests.stream()
                        .flatMap(request -> request.alternatives().stream())
                        .anyMatch(each -> isOfClass(half, each) && !suits(half, each)));
        Map<Device, Long> left = new HashMap<>();
        published.stream()
                .filter(device -> !isCardUncertain || !isHalf(device.name()))
                .forEach(device -> left.put(device, PARTS - usage(device.name())));
        return canBeHad(requests, left);
    }

    private boolean canBeHad(List<DeviceRequest> requests, Map<Device, Long> left) {
        return requests.isEmpty()
                || requests.getFirst().alternatives().stream()
                        .anyMatch(wanted -> canBeHad(
                                wanted, wanted.count(), requests.subList(1, requests.size()), left, new HashSet<>()));
    }

    /** @param taken for this request already: no device twice for one */
    private boolean canBeHad(
            Wanted wanted, long count, List<DeviceRequest> others, Map<Device, Long> left, Set<Device> taken) {
        if (count == 0) {
            return canBeHad(others, left);
        }
        for (Device device : List.copyOf(left.keySet())) {
            long parts = device.shared() ? parts(wanted) : PARTS;
            boolean isOtherHalfUsed = isHalf(device.name())
                    && left.entrySet().stream()
                            .anyMatch(each -> isHalf(each.getKey().name()) && each.getValue() < PARTS);
            if (suits(device, wanted) && left.get(device) >= parts && !isOtherHalfUsed && taken.add(device)) {
                left.merge(device, -parts, Long::sum);
                boolean all = canBeHad(wanted, count - 1, others, left, taken);
                left.merge(device, parts, Long::sum);
                taken.remove(device);
                if (all) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean suits(Device device, Wanted wanted) {
        List<DeviceTaint> taints = new ArrayList<>(device.taints());
        told.all(Kinds.DEVICE_TAINT_RULE).stream()
                .filter(rule -> rule.selects("gpu.example.com", nodeOf(device.name()), device.name()))
                .map(DeviceTaintRule::taint)
                .forEach(taints::add);
        return isOfClass(device, wanted)
                && taints.stream()
                        .allMatch(taint -> wanted.tolerations().stream()
                                .anyMatch(toleration -> toleration.key().equals(taint.key())));
    }

    private static boolean isOfClass(Device device, Wanted wanted) {
        String kind = kindOf(device.name());
        return wanted.deviceClass().equals("gpu")
                ? !kind.equals("shared")
                : wanted.deviceClass().equals(kind);
    }

    /** In the middle of {@code node-0-large-1}. */
    private static String kindOf(String device) {
        String[] parts = device.split("-", -1);
        return parts[parts.length - 2];
    }

    private static String nodeOf(String device) {
        return device.substring(0, device.indexOf("-" + kindOf(device) + "-"));
    }

    /** Nothing where it is to be made, and is not yet. */
    private static Optional<String> keyOf(Pod pod, PodResourceClaim claim) {
        Optional<String> name = claim.resourceClaimName().isEmpty()
                ? pod.status().claims().stream()
                        .filter(made -> made.name().equals(claim.name()))
                        .flatMap(made -> made.resourceClaimName().stream())
                        .findFirst()
                : Optional.of(claim.resourceClaimName());
        return name.map(each -> pod.namespace() + "/" + each);
    }
}
