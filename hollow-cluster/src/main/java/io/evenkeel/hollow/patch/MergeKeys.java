package io.evenkeel.hollow.patch;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which lists strategic merge patches merge, and by which member, from the {@code patchMergeKey}s of the Kubernetes API.
 * All other lists are replaced: tolerations and taints too, surprising as it is.
 */
final class MergeKeys {

    private static final Map<String, List<String>> KEYS = Map.ofEntries(
            Map.entry("containers", List.of("name")),
            Map.entry("initContainers", List.of("name")),
            Map.entry("ephemeralContainers", List.of("name")),
            Map.entry("env", List.of("name")),
            Map.entry("ports", List.of("containerPort", "port")),
            Map.entry("volumes", List.of("name")),
            Map.entry("volumeMounts", List.of("mountPath")),
            Map.entry("volumeDevices", List.of("devicePath")),
            Map.entry("conditions", List.of("type")),
            Map.entry("schedulingGates", List.of("name")),
            Map.entry("topologySpreadConstraints", List.of("topologyKey")),
            Map.entry("resourceClaims", List.of("name")),
            Map.entry("resourceClaimStatuses", List.of("name")),
            Map.entry("imagePullSecrets", List.of("name")),
            Map.entry("secrets", List.of("name")),
            Map.entry("hostAliases", List.of("ip")),
            Map.entry("podIPs", List.of("ip")),
            Map.entry("hostIPs", List.of("ip")),
            Map.entry("addresses", List.of("type")),
            Map.entry("ownerReferences", List.of("uid")));

    private static final Set<String> MERGED_VALUES = Set.of("finalizers", "podCIDRs");

    private MergeKeys() {}

    /** The member that identifies the elements of a list of objects; empty if the list is replaced as a whole. */
    static Optional<String> of(String list, JsonArray elements) {
        return KEYS.getOrDefault(list, List.of()).stream()
                .filter(key -> elements.asList().stream().anyMatch(element -> has(element, key)))
                .findFirst();
    }

    /** Whether a list of plain values is merged as a set. */
    static boolean mergesValues(String list) {
        return MERGED_VALUES.contains(list);
    }

    private static boolean has(JsonElement element, String key) {
        return element instanceof JsonObject object && object.has(key);
    }
}
