package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.DeletionOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Sees to it that a ReplicaSet has the pods it asks for. Pods without an owner are not adopted. */
record ReplicaSets(Registry registry, Observed observed, ControlLoop schedule, PodFactory pods, EventRecorder events)
        implements Controller {
    /** As many pods are made or deleted at once; their changes call for the next look. */
    private static final int BURST = 500;

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        switch (change.object().key().table()) {
            case "replicasets" -> look.accept(change.object().key());
            case "pods" ->
                Owner.controllerOf(change.object(), ResourceTable.REPLICA_SETS).ifPresent(look);
            default -> {}
        }
    }

    @Override
    public void sync(ObjectKey key) {
        registry.find(ResourceTable.REPLICA_SETS, key)
                .filter(set -> !set.isGoing())
                .ifPresent(this::sync);
    }

    private void sync(StoredObject set) {
        List<StoredObject> active = observed.controlledBy(set.uid(), ResourceTable.PODS).stream()
                .filter(PodState::isActive)
                .toList();
        long wanted = Trees.number(set.tree(), "spec", "replicas").orElse(1L);
        // first, so that refused pods do not keep the status from being true
        Optional<String> failedBefore = failure(set);
        writeStatus(set, active, failedBefore);
        try {
            for (long i = 0; i < Math.min(wanted - active.size(), BURST); i++) {
                JsonObject pod = PodFactory.fromTemplate(ResourceTable.REPLICA_SETS, set);
                pod.getAsJsonObject("metadata").addProperty("generateName", set.name() + "-");
                pods.create(ResourceTable.REPLICA_SETS, set, pod);
            }
        } catch (ApiException refused) {
            // the first refusal stays in the real one's status too; others have other names in them
            writeStatus(set, active, failedBefore.or(() -> Optional.of(String.valueOf(refused.getMessage()))));
            throw refused;
        }
        if (failedBefore.isPresent()) {
            writeStatus(set, active, Optional.empty());
        }
        if (active.size() > wanted) {
            Instant now = registry.times().instant();
            List<String> nodes = related(set).stream().map(PodState::node).toList();
            new DeletionOrder(nodes, now)
                    .first(Math.min(active.size() - wanted, BURST), active, pod -> PodState.candidate(pod, now))
                    .forEach(pod -> delete(set, pod));
        }
    }

    /** Why its pods are refused, as its status says. */
    static Optional<String> failure(StoredObject set) {
        return Trees.objects(set.tree(), "status", "conditions").stream()
                .filter(condition -> Trees.text(condition, "type").equals(StatusWriter.FAILURE))
                .map(condition -> Trees.text(condition, "message"))
                .findFirst();
    }

    /** The pods of all ReplicaSets of its Deployment; of one that has none the real one counts no pods. */
    private List<StoredObject> related(StoredObject set) {
        return Owner.controllerOf(set.tree())
                .map(owner -> observed.controlledBy(owner.uid(), ResourceTable.REPLICA_SETS).stream()
                        .flatMap(each -> observed.controlledBy(each.uid(), ResourceTable.PODS).stream())
                        .filter(PodState::isActive)
                        .toList())
                .orElse(List.of());
    }

    private void delete(StoredObject set, StoredObject pod) {
        if (registry.deleteFound(ResourceTable.PODS, pod.key())) {
            events.normal(
                    ResourceTable.REPLICA_SETS,
                    set,
                    "replicaset-controller",
                    "SuccessfulDelete",
                    "Deleted pod: " + pod.name());
        }
    }

    private void writeStatus(StoredObject set, List<StoredObject> active, Optional<String> failure) {
        long minReady = Trees.number(set.tree(), "spec", "minReadySeconds").orElse(0L);
        Instant latest = registry.times().instant().minusSeconds(minReady);
        long ready = active.stream().filter(PodState::isReady).count();
        long available = minReady == 0
                ? ready
                : active.stream()
                        .filter(pod -> PodState.readySince(pod)
                                .filter(since -> !since.isAfter(latest))
                                .isPresent())
                        .count();
        if (available < ready) {
            schedule.in(Duration.ofSeconds(1), () -> schedule.look(this, set.key()));
        }
        new StatusWriter(set)
                .always("replicas", active.size())
                .count("fullyLabeledReplicas", active.size())
                .count("readyReplicas", ready)
                .count("availableReplicas", available)
                .failure(failure)
                .write(registry, ResourceTable.REPLICA_SETS);
    }
}
