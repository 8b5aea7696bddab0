package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.DeleteOptions;
import io.evenkeel.hollow.registry.Deletion;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.Templates;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Sees to it that a StatefulSet has a pod of each ordinal. It goes one pod at a time, up in order and down in reverse, each
 * waiting for those below to be ready; with {@code podManagementPolicy: Parallel} it waits for none.
 *
 * <p>No earlier template is kept: a pod below the partition that is lost comes back with the present one.
 */
final class StatefulSets implements Controller {

    private final Registry registry;
    private final Deletion deletion;
    private final Observed observed;
    private final PodFactory pods;
    private final StatefulClaims claims;
    private final EventRecorder events;

    StatefulSets(Registry registry, Deletion deletion, Observed observed, PodFactory pods, EventRecorder events) {
        this.registry = registry;
        this.deletion = deletion;
        this.observed = observed;
        this.pods = pods;
        this.claims = new StatefulClaims(registry);
        this.events = events;
    }

    @Override
    public void concerned(Change change, Consumer<ObjectKey> look) {
        switch (change.object().key().table()) {
            case "statefulsets" -> look.accept(change.object().key());
            case "pods" ->
                Owner.controllerOf(change.object(), ResourceTable.STATEFUL_SETS).ifPresent(look);
            default -> {}
        }
    }

    @Override
    public void sync(ObjectKey key) {
        registry.find(ResourceTable.STATEFUL_SETS, key.namespace(), key.name())
                .filter(set -> !PodState.isGoing(set))
                .ifPresent(this::sync);
    }

    private void sync(StoredObject set) {
        NavigableMap<Long, StoredObject> members = new TreeMap<>();
        String uid = Trees.text(set.tree(), "metadata", "uid");
        observed.controlledBy(uid, ResourceTable.PODS)
                .forEach(pod -> StatefulPod.ordinal(set, pod).ifPresent(ordinal -> members.put(ordinal, pod)));
        StatefulPod shape = StatefulPod.of(set);
        writeStatus(set, shape, List.copyOf(members.values()));
        long start = Trees.number(set.tree(), "spec", "ordinals", "start").orElse(0L);
        long end = start + Trees.number(set.tree(), "spec", "replicas").orElse(1L);
        boolean parallel = Trees.text(set.tree(), "spec", "podManagementPolicy").equals("Parallel");
        if (fill(set, shape, members, start, end, parallel) && shrink(set, members, start, end, parallel)) {
            update(set, shape, members, start, end);
        }
    }

    /** Makes the pods that are missing; false as long as one below is to be waited for. */
    private boolean fill(
            StoredObject set,
            StatefulPod shape,
            NavigableMap<Long, StoredObject> members,
            long start,
            long end,
            boolean parallel) {
        for (long ordinal = start; ordinal < end; ordinal++) {
            StoredObject pod = members.get(ordinal);
            if (pod == null || PodState.node(pod).isEmpty()) {
                claims.ensure(set, ordinal);
            }
            if (pod == null) {
                pods.create(ResourceTable.STATEFUL_SETS, set, shape.pod(ordinal));
            } else if (PodState.isOver(pod) && !PodState.isGoing(pod)) {
                delete(set, pod);
            }
            if (!parallel && (pod == null || !PodState.isReady(pod) || PodState.isGoing(pod))) {
                return false;
            }
        }
        return true;
    }

    /** Deletes the pods beyond the last ordinal, the highest first; false as long as one is on its way out. */
    private boolean shrink(
            StoredObject set, NavigableMap<Long, StoredObject> members, long start, long end, boolean parallel) {
        boolean done = true;
        NavigableMap<Long, StoredObject> beyond = new TreeMap<>(members.tailMap(end, true));
        beyond.putAll(members.headMap(start, false));
        for (StoredObject pod : beyond.descendingMap().values()) {
            done = false;
            if (!PodState.isGoing(pod)) {
                claims.leaveTo(set, pod);
                delete(set, pod);
            }
            if (!parallel) {
                return false;
            }
        }
        return done;
    }

    /** Replaces the highest pod of an earlier template, once all the others are ready. */
    private void update(
            StoredObject set, StatefulPod shape, NavigableMap<Long, StoredObject> members, long start, long end) {
        if (Trees.text(set.tree(), "spec", "updateStrategy", "type").equals("OnDelete")) {
            return;
        }
        long partition = Trees.number(set.tree(), "spec", "updateStrategy", "rollingUpdate", "partition")
                .orElse(0L);
        for (long ordinal = end - 1; ordinal >= Math.max(start, partition); ordinal--) {
            StoredObject pod = members.get(ordinal);
            if (pod == null) {
                return;
            }
            if (!shape.isOf(pod) && !PodState.isGoing(pod)) {
                delete(set, pod);
                return;
            }
            if (!PodState.isReady(pod) || PodState.isGoing(pod)) {
                return;
            }
        }
    }

    private void delete(StoredObject set, StoredObject pod) {
        if (registry.find(ResourceTable.PODS, pod.key().namespace(), pod.key().name())
                .isPresent()) {
            deletion.delete(ResourceTable.PODS, pod.key().namespace(), pod.key().name(), DeleteOptions.DEFAULT);
            events.normal(
                    ResourceTable.STATEFUL_SETS,
                    set,
                    "statefulset-controller",
                    "SuccessfulDelete",
                    "delete Pod %s in StatefulSet %s successful"
                            .formatted(pod.key().name(), set.key().name()));
        }
    }

    private void writeStatus(StoredObject set, StatefulPod shape, List<StoredObject> members) {
        long ready = members.stream().filter(PodState::isReady).count();
        long updated = members.stream().filter(shape::isOf).count();
        boolean complete = updated == members.size();
        JsonObject status = Trees.object(set.tree(), "status").orElseGet(JsonObject::new);
        String current = Trees.text(status, "currentRevision");
        String settled = complete || current.isEmpty() ? shape.revision() : current;
        new StatusWriter(set)
                .always("replicas", members.size())
                .count("readyReplicas", ready)
                .count("availableReplicas", ready)
                .count("currentReplicas", complete ? updated : members.size() - updated)
                .count("updatedReplicas", updated)
                .text("currentRevision", settled)
                .text("updateRevision", shape.revision())
                .always("collisionCount", 0)
                .write(registry, ResourceTable.STATEFUL_SETS);
    }

    /**
     * The claims of a StatefulSet's {@code volumeClaimTemplates}, one of each template an ordinal. They stay when pods go, and
     * wait for the next of their ordinal, unless the set's retention policy says that they go with the set or with a pod that is
     * scaled away: then that owns them, and the garbage collector does the rest.
     */
    private static final class StatefulClaims {

        private final Registry registry;

        StatefulClaims(Registry registry) {
            this.registry = registry;
        }

        /** Makes the claims of an ordinal that are missing. */
        void ensure(StoredObject set, long ordinal) {
            String namespace = set.key().namespace();
            for (JsonObject template : Templates.claimTemplates(set.tree())) {
                String name = Templates.claimName(set.tree(), template, ordinal);
                if (registry.find(ResourceTable.PERSISTENT_VOLUME_CLAIMS, namespace, name)
                        .isEmpty()) {
                    registry.create(
                            ResourceTable.PERSISTENT_VOLUME_CLAIMS, namespace, claim(set, template, ordinal), false);
                }
            }
        }

        /** Makes a pod that is scaled away the owner of its claims, if they shall go with it. */
        void leaveTo(StoredObject set, StoredObject pod) {
            if (!goes(set, "whenScaled")) {
                return;
            }
            StatefulPod.ordinal(set, pod)
                    .ifPresent(ordinal -> Templates.claimTemplates(set.tree()).forEach(template -> {
                        String name = Templates.claimName(set.tree(), template, ordinal);
                        String namespace = set.key().namespace();
                        if (registry.find(ResourceTable.PERSISTENT_VOLUME_CLAIMS, namespace, name)
                                .isPresent()) {
                            registry.change(ResourceTable.PERSISTENT_VOLUME_CLAIMS, namespace, name, false, claim -> {
                                claim.getAsJsonObject("metadata")
                                        .add("ownerReferences", Owner.references(ResourceTable.PODS, pod));
                                return claim;
                            });
                        }
                    }));
        }

        private static JsonObject claim(StoredObject set, JsonObject template, long ordinal) {
            JsonObject claim = Templates.claim(set.tree(), template, ordinal);
            if (goes(set, "whenDeleted")) {
                claim.getAsJsonObject("metadata")
                        .add("ownerReferences", Owner.references(ResourceTable.STATEFUL_SETS, set));
            }
            return claim;
        }

        private static boolean goes(StoredObject set, String when) {
            return Trees.text(set.tree(), "spec", "persistentVolumeClaimRetentionPolicy", when)
                    .equals("Delete");
        }
    }
}
