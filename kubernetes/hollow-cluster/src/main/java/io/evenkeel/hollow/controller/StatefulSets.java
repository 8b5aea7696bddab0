package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.Templates;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Sees to it that a StatefulSet has a pod of each ordinal. It goes one pod at a time, up in order and down in reverse, each
 * waiting for those below to be ready; with {@code podManagementPolicy: Parallel} it waits for none.
 *
 * <p>No earlier template is kept: a pod below the partition that is lost comes back with the present one.
 */
record StatefulSets(Registry registry, Observed observed, PodFactory pods, EventRecorder events) implements Controller {
    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        switch (change.object().key().table()) {
            case "statefulsets" -> look.accept(change.object().key());
            case "pods" ->
                Owner.controllerOf(change.object(), ResourceTable.STATEFUL_SETS).ifPresent(look);
            default -> {}
        }
    }

    @Override
    public void sync(ObjectKey key) {
        registry.find(ResourceTable.STATEFUL_SETS, key)
                .filter(set -> !set.isGoing())
                .ifPresent(this::sync);
    }

    private void sync(StoredObject set) {
        NavigableMap<Long, StoredObject> members = new TreeMap<>();
        observed.controlledBy(set.uid(), ResourceTable.PODS)
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
                ensureClaims(set, ordinal);
            }
            if (pod == null) {
                pods.create(ResourceTable.STATEFUL_SETS, set, shape.pod(ordinal));
            } else if (PodState.isOver(pod) && !pod.isGoing()) {
                delete(set, pod);
            }
            if (!parallel && (pod == null || !PodState.isReady(pod) || pod.isGoing())) {
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
            if (!pod.isGoing()) {
                leaveClaimsTo(set, pod);
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
            if (!shape.isOf(pod) && !pod.isGoing()) {
                delete(set, pod);
                return;
            }
            if (!PodState.isReady(pod) || pod.isGoing()) {
                return;
            }
        }
    }

    private void delete(StoredObject set, StoredObject pod) {
        if (registry.deleteFound(ResourceTable.PODS, pod.key())) {
            events.normal(
                    ResourceTable.STATEFUL_SETS,
                    set,
                    "statefulset-controller",
                    "SuccessfulDelete",
                    "delete Pod %s in StatefulSet %s successful".formatted(pod.name(), set.name()));
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
     * Makes the claims of an ordinal that are missing, one of each of the {@code volumeClaimTemplates}. They stay when pods go, and
     * wait for the next of their ordinal, unless the set's retention policy says that they go with the set or with a pod that is
     * scaled away: then that owns them, and the garbage collector does the rest.
     */
    private void ensureClaims(StoredObject set, long ordinal) {
        for (JsonObject template : Templates.claimTemplates(set.tree())) {
            String name = Templates.claimName(set.tree(), template, ordinal);
            if (registry.find(ResourceTable.PERSISTENT_VOLUME_CLAIMS, set.namespace(), name)
                    .isEmpty()) {
                JsonObject claim = Templates.claim(set.tree(), template, ordinal);
                if (claimsGo(set, "whenDeleted")) {
                    PodFactory.owned(claim, ResourceTable.STATEFUL_SETS, set);
                }
                registry.create(ResourceTable.PERSISTENT_VOLUME_CLAIMS, set.namespace(), claim, false);
            }
        }
    }

    /** Makes a pod that is scaled away the owner of its claims, if they shall go with it. */
    private void leaveClaimsTo(StoredObject set, StoredObject pod) {
        if (!claimsGo(set, "whenScaled")) {
            return;
        }
        StatefulPod.ordinal(set, pod)
                .ifPresent(ordinal -> Templates.claimTemplates(set.tree()).forEach(template -> {
                    ObjectKey key = Claim.key(set.namespace(), Templates.claimName(set.tree(), template, ordinal));
                    if (registry.find(ResourceTable.PERSISTENT_VOLUME_CLAIMS, key)
                            .isPresent()) {
                        registry.edit(
                                ResourceTable.PERSISTENT_VOLUME_CLAIMS,
                                key,
                                claim -> PodFactory.owned(claim, ResourceTable.PODS, pod));
                    }
                }));
    }

    private static boolean claimsGo(StoredObject set, String when) {
        return Trees.text(set.tree(), "spec", "persistentVolumeClaimRetentionPolicy", when)
                .equals("Delete");
    }

    /** The pods of a StatefulSet's present template: which they are, and how one of an ordinal is made. */
    private record StatefulPod(StoredObject set, String revision) {

        static StatefulPod of(StoredObject set) {
            return new StatefulPod(set, Templates.revision(set.tree()));
        }

        /** The ordinal in a pod's name, if it is one of the set. */
        static Optional<Long> ordinal(StoredObject set, StoredObject pod) {
            String prefix = set.name() + "-";
            String name = pod.name();
            String rest = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
            return rest.matches("[0-9]{1,9}") ? Optional.of(Long.parseLong(rest)) : Optional.empty();
        }

        boolean isOf(StoredObject pod) {
            return Trees.text(pod.tree(), "metadata", "labels", Templates.REVISION)
                    .equals(revision);
        }

        JsonObject pod(long ordinal) {
            return PodFactory.owned(Templates.pod(set.tree(), ordinal), ResourceTable.STATEFUL_SETS, set);
        }
    }
}
