package io.evenkeel.hollow.controller;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Makes the claims of pods' ephemeral volumes; each goes with its pod, which owns it. */
final class EphemeralClaims implements Controller {

    private static final String COMPONENT = "ephemeral_volume";

    private final Registry registry;
    private final EventRecorder events;

    /** Pods that wait for the name of a claim that is not their own. */
    private final Map<ObjectKey, Set<ObjectKey>> waiting = new HashMap<>();

    EphemeralClaims(Registry registry, EventRecorder events) {
        this.registry = registry;
        this.events = events;
    }

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        StoredObject object = change.object();
        ObjectKey key = object.key();
        if (key.table().equals(ResourceTable.PODS.storage())) {
            if (change instanceof Change.Added && !ephemeral(object).isEmpty()) {
                look.accept(key);
            }
        } else if (key.table().equals(ResourceTable.PERSISTENT_VOLUME_CLAIMS.storage())
                && change instanceof Change.Deleted) {
            Owner.controllerOf(object, ResourceTable.PODS).ifPresent(look);
            waiting.getOrDefault(key, Set.of()).forEach(look);
            waiting.remove(key);
        }
    }

    @Override
    public void sync(ObjectKey key) {
        registry.find(ResourceTable.PODS, key)
                .filter(pod -> !pod.isGoing())
                .ifPresent(pod -> ephemeral(pod).forEach(volume -> ensure(pod, volume)));
    }

    private void ensure(StoredObject pod, JsonObject volume) {
        ObjectKey key = Claim.key(pod.namespace(), pod.name() + "-" + Trees.text(volume, "name"));
        Optional<Claim> claim = Claim.find(registry, key);
        if (claim.isEmpty()) {
            registry.create(ResourceTable.PERSISTENT_VOLUME_CLAIMS, key.namespace(), claim(pod, volume, key), false);
        } else if (!isOwned(claim.get(), pod)) {
            waiting.computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(pod.key());
            events.warning(
                    ResourceTable.PODS,
                    pod,
                    COMPONENT,
                    "FailedBinding",
                    "ephemeral volume %s: PVC %s/%s was not created for pod %s/%s (pod is not owner)"
                            .formatted(
                                    Trees.text(volume, "name"),
                                    key.namespace(),
                                    key.name(),
                                    pod.namespace(),
                                    pod.name()));
        }
    }

    private static JsonObject claim(StoredObject pod, JsonObject volume, ObjectKey key) {
        JsonObject claim = new JsonObject();
        JsonObject metadata = Trees.ensureObject(claim, "metadata");
        metadata.addProperty("name", key.name());
        for (String map : List.of("labels", "annotations")) {
            Trees.object(volume, "ephemeral", "volumeClaimTemplate", "metadata", map)
                    .ifPresent(entries -> metadata.add(map, entries.deepCopy()));
        }
        metadata.add("ownerReferences", Owner.references(ResourceTable.PODS, pod));
        claim.add(
                "spec",
                Trees.at(volume, "ephemeral", "volumeClaimTemplate", "spec")
                        .map(JsonElement::deepCopy)
                        .orElseGet(JsonObject::new));
        return claim;
    }

    private static boolean isOwned(Claim claim, StoredObject pod) {
        return Owner.controllerOf(claim.object().tree())
                .filter(owner -> owner.uid().equals(pod.uid()))
                .isPresent();
    }

    private static List<JsonObject> ephemeral(StoredObject pod) {
        return Trees.objects(pod.tree(), "spec", "volumes").stream()
                .filter(volume ->
                        Trees.object(volume, "ephemeral", "volumeClaimTemplate").isPresent())
                .toList();
    }
}
