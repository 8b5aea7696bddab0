package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.registry.DeleteOptions;
import io.evenkeel.hollow.registry.Deletion;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Keeps a ReplicaSet for each template a Deployment has had, and moves its pods to the latest. */
final class Deployments implements Controller {

    private static final String COMPONENT = "deployment-controller";
    private static final long KEPT_REVISIONS = 10;

    private final Registry registry;
    private final Deletion deletion;
    private final Observed observed;
    private final EventRecorder events;
    private final Revisions revisions;

    Deployments(Registry registry, Deletion deletion, Observed observed, EventRecorder events) {
        this.registry = registry;
        this.deletion = deletion;
        this.observed = observed;
        this.events = events;
        this.revisions = new Revisions(registry);
    }

    @Override
    public void concerned(Change change, Consumer<ObjectKey> look) {
        StoredObject object = change.object();
        switch (object.key().table()) {
            case "deployments" -> look.accept(object.key());
            case "replicasets" ->
                Owner.controllerOf(object, ResourceTable.DEPLOYMENTS).ifPresent(look);
            // a Deployment that recreates waits for the last old pod, which its ReplicaSet no longer counts
            case "pods" -> {
                if (change instanceof Change.Deleted) {
                    Owner.controllerOf(object, ResourceTable.REPLICA_SETS)
                            .flatMap(set -> registry.find(ResourceTable.REPLICA_SETS, set.namespace(), set.name()))
                            .flatMap(set -> Owner.controllerOf(set, ResourceTable.DEPLOYMENTS))
                            .ifPresent(look);
                }
            }
            default -> {}
        }
    }

    @Override
    public void sync(ObjectKey key) {
        registry.find(ResourceTable.DEPLOYMENTS, key.namespace(), key.name())
                .filter(deployment -> !PodState.isGoing(deployment))
                .ifPresent(this::sync);
    }

    private void sync(StoredObject deployment) {
        List<StoredObject> sets =
                observed
                        .controlledBy(Trees.text(deployment.tree(), "metadata", "uid"), ResourceTable.REPLICA_SETS)
                        .stream()
                        .filter(set -> !PodState.isGoing(set))
                        .sorted(Comparator.comparingLong(Revisions::of))
                        .toList();
        Optional<StoredObject> found =
                sets.stream().filter(set -> Revisions.isOf(set, deployment)).findFirst();
        List<StoredObject> old =
                sets.stream().filter(set -> found.filter(set::equals).isEmpty()).toList();
        boolean paused = Trees.isTrue(deployment.tree(), "spec", "paused");
        if (found.isEmpty() && (paused || waitsForOldPods(deployment, old))) {
            scaleOldToZero(deployment, paused ? List.of() : old);
            DeploymentStatus.write(registry, deployment, found, old);
            return;
        }
        StoredObject fresh = found.orElseGet(() -> revisions.create(deployment, old));
        revisions.number(deployment, fresh, old);
        roll(deployment, fresh, paused ? List.of() : old);
        DeploymentStatus.write(registry, deployment, Optional.of(fresh), old);
        forget(deployment, fresh, old);
    }

    private void roll(StoredObject deployment, StoredObject fresh, List<StoredObject> old) {
        if (isRecreated(deployment)) {
            scaleOldToZero(deployment, old);
            if (!waitsForOldPods(deployment, old)) {
                scale(deployment, fresh, wanted(deployment));
            }
            return;
        }
        RollingUpdate.Step step = RollingUpdate.of(deployment.tree())
                .next(size(fresh), old.stream().map(Deployments::size).toList());
        scale(deployment, fresh, step.fresh());
        for (int i = 0; i < old.size(); i++) {
            scale(deployment, old.get(i), step.old().get(i));
        }
    }

    private boolean waitsForOldPods(StoredObject deployment, List<StoredObject> old) {
        return isRecreated(deployment)
                && old.stream()
                        .flatMap(set ->
                                observed
                                        .controlledBy(Trees.text(set.tree(), "metadata", "uid"), ResourceTable.PODS)
                                        .stream())
                        .anyMatch(pod -> !PodState.isOver(pod));
    }

    private void scaleOldToZero(StoredObject deployment, List<StoredObject> old) {
        old.forEach(set -> scale(deployment, set, 0));
    }

    private void scale(StoredObject deployment, StoredObject set, long size) {
        long before = wanted(set);
        if (before == size) {
            return;
        }
        registry.change(
                ResourceTable.REPLICA_SETS, set.key().namespace(), set.key().name(), false, tree -> {
                    Trees.ensureObject(tree, "spec").addProperty("replicas", size);
                    revisions.bump(tree);
                    return tree;
                });
        events.normal(
                ResourceTable.DEPLOYMENTS,
                deployment,
                COMPONENT,
                "ScalingReplicaSet",
                "Scaled %s replica set %s from %d to %d"
                        .formatted(size > before ? "up" : "down", set.key().name(), before, size));
    }

    /** Deletes the oldest ReplicaSets that are empty and beyond the number to be kept. */
    private void forget(StoredObject deployment, StoredObject fresh, List<StoredObject> old) {
        long kept =
                Trees.number(deployment.tree(), "spec", "revisionHistoryLimit").orElse(KEPT_REVISIONS);
        old.stream()
                .filter(set -> !set.key().equals(fresh.key()))
                .limit(Math.max(old.size() - kept, 0))
                .filter(set -> wanted(set) == 0
                        && Trees.number(set.tree(), "status", "replicas").orElse(0L) == 0)
                .filter(set -> registry.find(
                                ResourceTable.REPLICA_SETS,
                                set.key().namespace(),
                                set.key().name())
                        .isPresent())
                .forEach(set -> deletion.delete(
                        ResourceTable.REPLICA_SETS,
                        set.key().namespace(),
                        set.key().name(),
                        DeleteOptions.DEFAULT));
    }

    private static boolean isRecreated(StoredObject deployment) {
        return Trees.text(deployment.tree(), "spec", "strategy", "type").equals("Recreate");
    }

    private static RollingUpdate.Size size(StoredObject set) {
        return new RollingUpdate.Size(
                wanted(set),
                Trees.number(set.tree(), "status", "availableReplicas").orElse(0L));
    }

    private static long wanted(StoredObject workload) {
        return Trees.number(workload.tree(), "spec", "replicas").orElse(1L);
    }

    /** A Deployment's status: the sums over its ReplicaSets. */
    private static final class DeploymentStatus {

        private DeploymentStatus() {}

        static void write(
                Registry registry, StoredObject deployment, Optional<StoredObject> fresh, List<StoredObject> old) {
            // annotating may have made a later version
            StoredObject latest = registry.find(
                            ResourceTable.DEPLOYMENTS,
                            deployment.key().namespace(),
                            deployment.key().name())
                    .orElse(deployment);
            List<StoredObject> all = new ArrayList<>(old);
            fresh.ifPresent(all::add);
            RollingUpdate limits = RollingUpdate.of(latest.tree());
            long total = sum(all, "replicas");
            long available = sum(all, "availableReplicas");
            long updated = sum(fresh.stream().toList(), "replicas");
            boolean enough = available >= limits.replicas() - limits.maxUnavailable();
            boolean complete = updated == limits.replicas() && total == updated && available == updated;
            String set = fresh.map(object -> object.key().name()).orElse("");
            new StatusWriter(latest)
                    .always("replicas", total)
                    .count("updatedReplicas", updated)
                    .count("readyReplicas", sum(all, "readyReplicas"))
                    .count("availableReplicas", available)
                    .count("unavailableReplicas", Math.max(Math.max(total, limits.replicas()) - available, 0))
                    .condition(
                            "Available",
                            enough,
                            enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                            enough
                                    ? "Deployment has minimum availability."
                                    : "Deployment does not have minimum availability.")
                    .condition(
                            "Progressing",
                            true,
                            complete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
                            "ReplicaSet \"%s\" %s."
                                    .formatted(set, complete ? "has successfully progressed" : "is progressing"))
                    .write(registry, ResourceTable.DEPLOYMENTS);
        }

        private static long sum(List<StoredObject> sets, String count) {
            return sets.stream()
                    .mapToLong(set -> Trees.number(set.tree(), "status", count).orElse(0L))
                    .sum();
        }
    }
}
