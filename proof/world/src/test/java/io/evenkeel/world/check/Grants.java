package io.evenkeel.world.check;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.world.life.Life;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the servers' log says of devices: none is given to one claim as a whole and to another, too, and of none more parts than
 * there are. A pod that a replica puts somewhere has its claims reserved for it by then, with devices that are there and ready; and
 * they are not taken away while it runs.
 */
public final class Grants {
    private static final long PARTS = 4;

    private final HollowObjects objects;
    private final Map<String, Map<String, Long>> byClaim = new HashMap<>();
    private final Map<String, List<String>> claimsOfPods = new HashMap<>();

    public Grants(HollowObjects objects) {
        this.objects = objects;
    }

    /** The log has this of a claim now. */
    public void claim(JsonObject claim) {
        Map<String, Long> devices = devices(claim);
        byClaim.put(Trees.text(claim, "metadata", "uid"), devices);
        if (devices.isEmpty()) {
            isInUseByNobody(claim);
        }
        for (String device : devices.keySet()) {
            long parts = byClaim.values().stream()
                    .mapToLong(other -> other.getOrDefault(device, 0L))
                    .sum();
            if (parts > PARTS) {
                throw new Violation(Trees.text(claim, "metadata", "name") + " is given " + device + ", of which "
                        + parts + " parts are given by now: " + byClaim);
            }
        }
    }

    private void isInUseByNobody(JsonObject claim) {
        String uid = Trees.text(claim, "metadata", "uid");
        for (String text : objects.list(ResourceTable.PODS, Trees.text(claim, "metadata", "namespace"))) {
            JsonObject pod = Trees.parse(text);
            boolean isFinished = List.of("Succeeded", "Failed").contains(Trees.text(pod, "status", "phase"));
            if (!isFinished
                    && claimsOfPods
                            .getOrDefault(Trees.text(pod, "metadata", "uid"), List.of())
                            .contains(uid)) {
                throw new Violation(Trees.text(claim, "metadata", "name") + " loses its devices, which "
                        + Trees.text(pod, "metadata", "name") + " uses");
            }
        }
    }

    /** The claim is gone. */
    public void claimGone(JsonObject claim) {
        byClaim.remove(Trees.text(claim, "metadata", "uid"));
    }

    /** How many parts of each. */
    private static Map<String, Long> devices(JsonObject claim) {
        Map<String, Long> devices = new TreeMap<>();
        Trees.objects(claim, "status", "allocation", "devices", "results")
                .forEach(result -> devices.merge(
                        Trees.text(result, "device"),
                        Trees.text(result, "shareID").isEmpty()
                                ? PARTS
                                : Quantity.parse(Trees.text(result, "consumedCapacity", "parts"))
                                        .value(),
                        Long::sum));
        return devices;
    }

    /** A replica, and nobody else, has put the pod on its node. */
    public void placed(JsonObject pod) {
        List<String> names = new ArrayList<>();
        Trees.objects(pod, "spec", "resourceClaims").stream()
                .map(wanted -> Trees.text(wanted, "resourceClaimName"))
                .filter(name -> !name.isEmpty())
                .forEach(names::add);
        Trees.objects(pod, "status", "resourceClaimStatuses")
                .forEach(made -> names.add(Trees.text(made, "resourceClaimName")));
        if (Trees.at(pod, "spec", "containers").toString().contains(Life.GPU)) {
            names.add(Trees.text(pod, "status", "extendedResourceClaimStatus", "resourceClaimName"));
        }
        names.forEach(name -> placed(pod, name));
    }

    private void placed(JsonObject pod, String name) {
        String uid = Trees.text(pod, "metadata", "uid");
        JsonObject claim = objects.get(ResourceTable.RESOURCE_CLAIMS, Trees.text(pod, "metadata", "namespace"), name)
                .map(Trees::parse)
                .filter(found -> Trees.objects(found, "status", "reservedFor").stream()
                        .anyMatch(consumer -> Trees.text(consumer, "uid").equals(uid)))
                .orElseThrow(() -> new Violation(
                        Trees.text(pod, "metadata", "name") + " is bound before '" + name + "' is reserved for it"));
        claimsOfPods.computeIfAbsent(uid, _ -> new ArrayList<>()).add(Trees.text(claim, "metadata", "uid"));
        for (JsonObject result : Trees.objects(claim, "status", "allocation", "devices", "results")) {
            if (!Trees.text(result, "pool").equals(Trees.text(pod, "spec", "nodeName"))) {
                throw new Violation(Trees.text(pod, "metadata", "name") + " is bound away from the devices of " + name);
            }
            boolean isReady = Trees.texts(result, "bindingConditions").isEmpty()
                    || Trees.objects(claim, "status", "devices").stream()
                            .anyMatch(state -> Trees.text(state, "device").equals(Trees.text(result, "device"))
                                    && Trees.objects(state, "conditions").stream()
                                            .anyMatch(condition -> Trees.text(condition, "type")
                                                    .equals("Attached")));
            if (!isReady) {
                throw new Violation(
                        Trees.text(pod, "metadata", "name") + " is bound before a device of " + name + " is ready");
            }
        }
    }
}
