package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.Templates;
import java.util.List;
import java.util.Optional;

/** The ReplicaSets of a Deployment, told apart by their template and numbered by when it was last the wanted one. */
final class Revisions {

    private static final String REVISION = "deployment.kubernetes.io/revision";

    private final Registry registry;

    Revisions(Registry registry) {
        this.registry = registry;
    }

    static long of(StoredObject object) {
        String text = Trees.text(object.tree(), "metadata", "annotations", REVISION);
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    /** Whether a ReplicaSet has the Deployment's present template. */
    static boolean isOf(StoredObject set, StoredObject deployment) {
        JsonObject own = template(set);
        Trees.object(own, "metadata", "labels").ifPresent(labels -> labels.remove(Templates.HASH));
        return own.equals(template(deployment));
    }

    /** Makes the ReplicaSet for the present template, still without pods. */
    StoredObject create(StoredObject deployment, List<StoredObject> old) {
        JsonObject tree = Templates.replicaSet(deployment.tree());
        JsonObject metadata = tree.getAsJsonObject("metadata");
        Optional<StoredObject> left =
                registry.find(ResourceTable.REPLICA_SETS, deployment.key().namespace(), Trees.text(metadata, "name"));
        if (left.isPresent()) {
            return left.get();
        }
        tree.getAsJsonObject("spec").addProperty("replicas", 0);
        Trees.ensureObject(metadata, "annotations").addProperty(REVISION, Long.toString(latest(old) + 1));
        metadata.add("ownerReferences", Owner.references(ResourceTable.DEPLOYMENTS, deployment));
        return registry.create(ResourceTable.REPLICA_SETS, deployment.key().namespace(), tree, false);
    }

    /** Gives the wanted ReplicaSet, which may be an old one again, the highest number, and the Deployment the same. */
    void number(StoredObject deployment, StoredObject fresh, List<StoredObject> old) {
        long revision = Math.max(of(fresh), latest(old) + 1);
        annotate(ResourceTable.REPLICA_SETS, fresh, revision);
        annotate(ResourceTable.DEPLOYMENTS, deployment, revision);
    }

    void bump(JsonObject tree) {
        Trees.number(tree, "metadata", "generation")
                .ifPresent(generation -> tree.getAsJsonObject("metadata").addProperty("generation", generation + 1));
    }

    private void annotate(io.evenkeel.hollow.resource.ResourceType type, StoredObject object, long revision) {
        if (of(object) == revision) {
            return;
        }
        registry.change(type, object.key().namespace(), object.key().name(), false, tree -> {
            Trees.ensureObject(tree.getAsJsonObject("metadata"), "annotations")
                    .addProperty(REVISION, Long.toString(revision));
            return tree;
        });
    }

    private static long latest(List<StoredObject> sets) {
        return sets.stream().mapToLong(Revisions::of).max().orElse(0);
    }

    private static JsonObject template(StoredObject workload) {
        return Trees.object(workload.tree(), "spec", "template")
                .orElseGet(JsonObject::new)
                .deepCopy();
    }
}
