package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.control.Owner;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.Templates;

/**
 * The claims of a StatefulSet's {@code volumeClaimTemplates}, one of each template an ordinal. They stay when pods go, and
 * wait for the next of their ordinal, unless the set's retention policy says that they go with the set or with a pod that is
 * scaled away: then that owns them, and the garbage collector does the rest.
 */
final class StatefulClaims {

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
