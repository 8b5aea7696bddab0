package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Makes claims of devices from the templates that pods name, takes pods that are over out of {@code reservedFor}, and frees the devices of
 * a claim when the last of its pods is over.
 */
final class DeviceClaims implements Controller {
    private static final String COMPONENT = "resource_claim";
    static final String FINALIZER = "resource.kubernetes.io/delete-protection";

    /** On a claim that was made from a template: which of its pod's claims it is. */
    private static final String POD_CLAIM = "resource.kubernetes.io/pod-claim-name";

    private static final int MOST_CONSUMERS = 256;
    private static final int LONGEST_PREFIX = 57;

    private final Registry registry;
    private final Observed observed;
    private final EventRecorder events;

    /** Pods that wait for a template. */
    private final Map<ObjectKey, Set<ObjectKey>> waiting = new HashMap<>();

    DeviceClaims(Registry registry, Observed observed, EventRecorder events) {
        this.registry = registry;
        this.observed = observed;
        this.events = events;
    }

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        StoredObject object = change.object();
        ObjectKey key = object.key();
        boolean isGone = change instanceof Change.Deleted;
        if (key.table().equals(ResourceTable.PODS.storage())) {
            List<ObjectKey> claims = PodState.deviceClaims(object);
            if (!claims.isEmpty() && !isGone) {
                look.accept(key);
            }
            if (isGone || isDone(object)) {
                claims.forEach(look);
            }
        } else if (key.table().equals(ResourceTable.RESOURCE_CLAIMS.storage())) {
            look.accept(key);
            if (isGone) {
                Owner.controllerOf(object, ResourceTable.PODS).ifPresent(look);
            }
        } else if (key.table().equals(ResourceTable.RESOURCE_CLAIM_TEMPLATES.storage()) && !isGone) {
            waiting.getOrDefault(key, Set.of()).forEach(look);
            waiting.remove(key);
        }
    }

    @Override
    public void sync(ObjectKey key) {
        if (key.table().equals(ResourceTable.PODS.storage())) {
            registry.find(ResourceTable.PODS, key).filter(PodState::isActive).ifPresent(this::supply);
        } else {
            registry.find(ResourceTable.RESOURCE_CLAIMS, key).ifPresent(this::tidy);
        }
    }

    /** Gives a pod the claims that it has templates for; one that is bound already, by whatever means, gets its claims reserved. */
    private void supply(StoredObject pod) {
        Map<String, String> made = new LinkedHashMap<>();
        for (JsonObject wanted : Trees.objects(pod.tree(), "spec", "resourceClaims")) {
            if (!Trees.text(wanted, "resourceClaimTemplateName").isEmpty()) {
                claimFor(pod, wanted).ifPresent(claim -> made.put(Trees.text(wanted, "name"), claim));
            }
        }
        StoredObject supplied = made.isEmpty()
                ? pod
                : registry.edit(ResourceTable.PODS, pod.key(), tree -> {
                    JsonArray statuses = new JsonArray();
                    made.forEach((name, claim) -> statuses.add(Trees.of("name", name, "resourceClaimName", claim)));
                    Trees.ensureObject(tree, "status").add("resourceClaimStatuses", statuses);
                });
        if (!PodState.node(supplied).isEmpty()) {
            PodState.deviceClaims(supplied).forEach(claim -> reserve(claim, supplied));
        }
    }

    /** The name of the pod's claim: the one that it has, or a new one; none while there is no template. */
    private Optional<String> claimFor(StoredObject pod, JsonObject wanted) {
        String name = Trees.text(wanted, "name");
        String known = PodState.nameOfMade(pod, name);
        Optional<String> present = observed.controlledBy(pod.uid(), ResourceTable.RESOURCE_CLAIMS).stream()
                .filter(claim -> claim.name().equals(known)
                        || Trees.text(claim.tree(), "metadata", "annotations", POD_CLAIM)
                                .equals(name))
                .map(StoredObject::name)
                .findFirst();
        if (present.isPresent()) {
            return present;
        }
        String templateName = Trees.text(wanted, "resourceClaimTemplateName");
        ObjectKey key = new ObjectKey(ResourceTable.RESOURCE_CLAIM_TEMPLATES.storage(), pod.namespace(), templateName);
        Optional<StoredObject> template = registry.find(ResourceTable.RESOURCE_CLAIM_TEMPLATES, key);
        if (template.isEmpty()) {
            waiting.computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(pod.key());
            fail(
                    pod,
                    name,
                    "resource claim template \"%s\": resourceclaimtemplate.resource.k8s.io \"%s\" not found"
                            .formatted(templateName, templateName));
            return Optional.empty();
        }
        try {
            JsonObject claim = claim(pod, name, template.get());
            return Optional.of(registry.create(ResourceTable.RESOURCE_CLAIMS, pod.namespace(), claim, false)
                    .name());
        } catch (ApiException e) {
            fail(pod, name, "create ResourceClaim : " + e.getMessage());
            throw e;
        }
    }

    private void fail(StoredObject pod, String claim, String why) {
        events.warning(
                ResourceTable.PODS,
                pod,
                COMPONENT,
                "FailedResourceClaimCreation",
                "PodResourceClaim " + claim + ": " + why);
    }

    private static JsonObject claim(StoredObject pod, String name, StoredObject template) {
        JsonObject metadata = Trees.of("generateName", prefix(pod.name(), name));
        for (String map : List.of("labels", "annotations")) {
            Trees.object(template.tree(), "spec", "metadata", map)
                    .ifPresent(entries -> metadata.add(map, entries.deepCopy()));
        }
        Trees.ensureObject(metadata, "annotations").addProperty(POD_CLAIM, name);
        metadata.add("ownerReferences", Owner.references(ResourceTable.PODS, pod));
        JsonElement spec = Trees.at(template.tree(), "spec", "spec").orElseGet(JsonObject::new);
        return Trees.of("metadata", metadata, "spec", spec.deepCopy());
    }

    /** Both names, shortened in proportion where they are too long together. */
    private static String prefix(String pod, String claim) {
        String whole = pod + "-" + claim + "-";
        if (whole.length() <= LONGEST_PREFIX) {
            return whole;
        }
        return pod.substring(0, pod.length() * LONGEST_PREFIX / whole.length())
                + "-"
                + claim.substring(0, claim.length() * LONGEST_PREFIX / whole.length());
    }

    private void reserve(ObjectKey key, StoredObject pod) {
        boolean isFree = registry.find(ResourceTable.RESOURCE_CLAIMS, key)
                .filter(claim ->
                        Trees.object(claim.tree(), "status", "allocation").isPresent())
                .filter(claim ->
                        !isReserved(claim, pod) && consumers(claim.tree()).size() < MOST_CONSUMERS)
                .isPresent();
        if (isFree) {
            registry.edit(
                    ResourceTable.RESOURCE_CLAIMS,
                    key,
                    tree -> Trees.ensureArray(Trees.ensureObject(tree, "status"), "reservedFor")
                            .add(Trees.of("resource", "pods", "name", pod.name(), "uid", pod.uid())));
        }
    }

    /** Whether a pod may use the devices of a claim. */
    static boolean isReserved(StoredObject claim, StoredObject pod) {
        return consumers(claim.tree()).stream()
                .anyMatch(consumer -> Trees.text(consumer, "uid").equals(pod.uid()));
    }

    private static List<JsonObject> consumers(JsonObject claim) {
        return Trees.objects(claim, "status", "reservedFor");
    }

    /** Takes out who does not use the claim any more; without users it is free again, and one that was made for a pod that is over goes. */
    private void tidy(StoredObject claim) {
        StoredObject tidied = registry.edit(ResourceTable.RESOURCE_CLAIMS, claim.key(), tree -> forget(claim, tree));
        boolean isUnused = consumers(tidied.tree()).isEmpty();
        if (isUnused && (tidied.isGoing() || !consumers(claim.tree()).isEmpty())) {
            tidied = registry.edit(ResourceTable.RESOURCE_CLAIMS, claim.key(), DeviceClaims::release);
        }
        boolean isOfPodThatIsOver = Owner.controllerOf(claim, ResourceTable.PODS)
                .flatMap(owner -> registry.find(ResourceTable.PODS, owner))
                .filter(pod -> isDone(pod) || !isOwner(pod, claim))
                .isPresent();
        if (isUnused && isOfPodThatIsOver && !tidied.isGoing()) {
            registry.deleteFound(ResourceTable.RESOURCE_CLAIMS, claim.key());
        }
    }

    /** A claim loses its devices with the last of its users, not for having none yet. */
    private void forget(StoredObject claim, JsonObject tree) {
        JsonObject status = Trees.ensureObject(tree, "status");
        boolean forgot = Trees.array(status, "reservedFor")
                .filter(all -> all.asList().removeIf(each -> !isPresent(claim.namespace(), each.getAsJsonObject())))
                .isPresent();
        if (consumers(tree).isEmpty()) {
            status.remove("reservedFor");
            if (isProtected(tree) && (forgot || claim.isGoing())) {
                status.remove("allocation");
                status.remove("devices");
            }
        }
    }

    private static void release(JsonObject tree) {
        if (isProtected(tree) && Trees.at(tree, "status", "allocation").isEmpty()) {
            JsonObject metadata = tree.getAsJsonObject("metadata");
            JsonArray finalizers = Trees.ensureArray(metadata, "finalizers");
            finalizers.asList().removeIf(each -> each.getAsString().equals(FINALIZER));
            if (finalizers.isEmpty()) {
                metadata.remove("finalizers");
            }
        }
    }

    /** Whether devices were allocated by a scheduler, which sees to it that the claim stays as long as they are. */
    private static boolean isProtected(JsonObject claim) {
        return Trees.texts(claim, "metadata", "finalizers").contains(FINALIZER);
    }

    /** Of what else than pods may use a claim nothing is known here, so it stays. */
    private boolean isPresent(String namespace, JsonObject consumer) {
        if (!Trees.text(consumer, "apiGroup").isEmpty()
                || !Trees.text(consumer, "resource").equals("pods")) {
            return true;
        }
        return registry.find(ResourceTable.PODS, namespace, Trees.text(consumer, "name"))
                .filter(pod -> pod.uid().equals(Trees.text(consumer, "uid")) && !isDone(pod))
                .isPresent();
    }

    private static boolean isOwner(StoredObject pod, StoredObject claim) {
        return Owner.uidsOf(claim.tree()).contains(pod.uid());
    }

    /** Whether no container of it runs, or ever will. */
    private static boolean isDone(StoredObject pod) {
        return PodState.isOver(pod) || (pod.isGoing() && PodState.node(pod).isEmpty());
    }
}
