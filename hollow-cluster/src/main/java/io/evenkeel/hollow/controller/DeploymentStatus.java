package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A Deployment's status: the sums over its ReplicaSets. */
final class DeploymentStatus {

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
