package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Conditions;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Registry.DeleteOptions;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Deletes a pod when a device of its claims has a taint {@code NoExecute}, by its slice or by a DeviceTaintRule, that the claim does not tolerate. */
final class DeviceEvictions implements Controller {
    private static final String COMPONENT = "device-taint-eviction";

    private final Registry registry;
    private final ControlLoop schedule;
    private final EventRecorder events;

    /** Slices and rules with such a taint: few, if any. */
    private final Map<ObjectKey, JsonObject> tainting = new HashMap<>();

    private final Set<String> underWay = new HashSet<>();

    DeviceEvictions(Registry registry, ControlLoop schedule, EventRecorder events) {
        this.registry = registry;
        this.schedule = schedule;
        this.events = events;
    }

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        StoredObject object = change.object();
        ObjectKey key = object.key();
        if (key.table().equals(ResourceTable.RESOURCE_SLICES.storage())
                || key.table().equals(ResourceTable.DEVICE_TAINT_RULES.storage())) {
            boolean evicts = !(change instanceof Change.Deleted) && evicts(object.tree());
            if (evicts) {
                tainting.put(key, object.tree());
                registry.store().list(ResourceTable.RESOURCE_CLAIMS.storage(), "").objects().stream()
                        .map(StoredObject::key)
                        .forEach(look);
            } else {
                tainting.remove(key);
            }
        } else if (!tainting.isEmpty() && !(change instanceof Change.Deleted)) {
            if (key.table().equals(ResourceTable.RESOURCE_CLAIMS.storage())) {
                look.accept(key);
            } else if (key.table().equals(ResourceTable.PODS.storage())) {
                PodState.deviceClaims(object).forEach(look);
            }
        }
    }

    private static boolean evicts(JsonObject tree) {
        return Stream.concat(
                        Trees.object(tree, "spec", "taint").stream(),
                        Trees.objects(tree, "spec", "devices").stream()
                                .flatMap(device -> Trees.objects(device, "taints").stream()))
                .anyMatch(DeviceEvictions::isEviction);
    }

    private static boolean isEviction(JsonObject taint) {
        return Trees.text(taint, "effect").equals("NoExecute");
    }

    @Override
    public void sync(ObjectKey key) {
        registry.find(ResourceTable.RESOURCE_CLAIMS, key)
                .ifPresent(claim -> Trees.objects(claim.tree(), "status", "allocation", "devices", "results").stream()
                        .flatMap(result -> taints(result).flatMap(taint -> end(taint, result).stream()))
                        .min(Instant::compareTo)
                        .ifPresent(end -> evict(claim, end)));
    }

    /** The taints of an allocated device that evict. */
    private Stream<JsonObject> taints(JsonObject result) {
        return tainting.values().stream()
                .flatMap(tree -> {
                    JsonObject spec = Trees.ensureObject(tree, "spec");
                    if (spec.has("taint")) {
                        boolean isMeant = Trees.object(spec, "deviceSelector")
                                .filter(selector -> Stream.of("driver", "pool", "device")
                                        .allMatch(member -> !selector.has(member) || isSame(selector, result, member)))
                                .isPresent();
                        return isMeant ? Trees.object(spec, "taint").stream() : Stream.empty();
                    }
                    boolean isPool = isSame(spec, result, "driver")
                            && Trees.text(spec, "pool", "name").equals(Trees.text(result, "pool"));
                    return Trees.objects(spec, "devices").stream()
                            .filter(device ->
                                    isPool && Trees.text(device, "name").equals(Trees.text(result, "device")))
                            .flatMap(device -> Trees.objects(device, "taints").stream());
                })
                .filter(DeviceEvictions::isEviction);
    }

    private static boolean isSame(JsonObject one, JsonObject other, String member) {
        return Trees.text(one, member).equals(Trees.text(other, member));
    }

    /** When a taint is tolerated no longer; never, if for ever. */
    private Optional<Instant> end(JsonObject taint, JsonObject result) {
        Instant since = Instant.parse(Trees.text(taint, "timeAdded"));
        List<JsonObject> tolerations = Trees.objects(result, "tolerations").stream()
                .filter(toleration -> tolerates(toleration, taint))
                .toList();
        if (tolerations.stream().anyMatch(toleration -> !toleration.has("tolerationSeconds"))) {
            return Optional.empty();
        }
        return Optional.of(tolerations.stream()
                .map(toleration -> since.plusSeconds(
                        Trees.number(toleration, "tolerationSeconds").orElse(0L)))
                .min(Instant::compareTo)
                .orElse(since));
    }

    private static boolean tolerates(JsonObject toleration, JsonObject taint) {
        String effect = Trees.text(toleration, "effect");
        String key = Trees.text(toleration, "key");
        return (effect.isEmpty() || isSame(toleration, taint, "effect"))
                && (key.isEmpty() || isSame(toleration, taint, "key"))
                && (Trees.text(toleration, "operator").equals("Exists") || isSame(toleration, taint, "value"));
    }

    private void evict(StoredObject claim, Instant end) {
        Duration left = Duration.between(registry.times().instant(), end);
        if (left.isPositive()) {
            if (underWay.add(claim.uid() + end)) {
                schedule.in(left, () -> {
                    underWay.remove(claim.uid() + end);
                    schedule.look(this, claim.key());
                });
            }
            return;
        }
        Trees.objects(claim.tree(), "status", "reservedFor").stream()
                .filter(consumer -> Trees.text(consumer, "resource").equals("pods"))
                .flatMap(consumer ->
                        registry.find(ResourceTable.PODS, claim.namespace(), Trees.text(consumer, "name")).stream()
                                .filter(pod -> pod.uid().equals(Trees.text(consumer, "uid"))))
                .filter(pod -> !PodState.node(pod).isEmpty() && PodState.isActive(pod))
                .forEach(this::evict);
    }

    private void evict(StoredObject pod) {
        events.normal(ResourceTable.PODS, pod, COMPONENT, "DeviceTaintManagerEviction", "Marking for deletion");
        registry.edit(
                ResourceTable.PODS,
                pod.key(),
                tree -> Conditions.disrupt(
                        tree,
                        registry.times().now(),
                        "DeletionByDeviceTaintManager",
                        "Device Taint manager: deleting due to NoExecute taint"));
        registry.delete(
                ResourceTable.PODS,
                pod.namespace(),
                pod.name(),
                new DeleteOptions(Optional.empty(), pod.uid(), "", false));
    }
}
