package io.evenkeel.world.check;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the servers' log says of devices: no claim is given one that another has; and a pod that a replica puts somewhere has its
 * claims reserved for it by then.
 */
public final class Grants {
    private final HollowObjects objects;
    private final Map<String, Set<String>> byClaim = new HashMap<>();

    public Grants(HollowObjects objects) {
        this.objects = objects;
    }

    /** The log has this of a claim now. */
    public void claim(JsonObject claim) {
        Set<String> devices = devices(claim);
        byClaim.put(Trees.text(claim, "metadata", "uid"), devices);
        byClaim.forEach((uid, others) -> {
            Set<String> both = new HashSet<>(others);
            both.retainAll(devices);
            if (!uid.equals(Trees.text(claim, "metadata", "uid")) && !both.isEmpty()) {
                throw new Violation(Trees.text(claim, "metadata", "name") + " is given " + both
                        + ", which the claim of UID " + uid + " has");
            }
        });
    }

    /** The claim is gone. */
    public void claimGone(JsonObject claim) {
        byClaim.remove(Trees.text(claim, "metadata", "uid"));
    }

    private static Set<String> devices(JsonObject claim) {
        return Trees.objects(claim, "status", "allocation", "devices", "results").stream()
                .map(result -> Trees.text(result, "pool") + "/" + Trees.text(result, "device"))
                .collect(Collectors.toSet());
    }

    /** A replica, and nobody else, has put the pod on its node. */
    public void placed(JsonObject pod) {
        String uid = Trees.text(pod, "metadata", "uid");
        for (JsonObject wanted : Trees.objects(pod, "spec", "resourceClaims")) {
            String name = Trees.text(wanted, "resourceClaimName");
            boolean isReserved = objects.get(
                            ResourceTable.RESOURCE_CLAIMS, Trees.text(pod, "metadata", "namespace"), name)
                    .map(Trees::parse)
                    .filter(claim -> Trees.objects(claim, "status", "reservedFor").stream()
                            .anyMatch(consumer -> Trees.text(consumer, "uid").equals(uid)))
                    .isPresent();
            if (!isReserved) {
                throw new Violation(
                        Trees.text(pod, "metadata", "name") + " is bound before " + name + " is reserved for it");
            }
        }
    }
}
