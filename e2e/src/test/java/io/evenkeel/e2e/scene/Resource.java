package io.evenkeel.e2e.scene;

import java.util.Locale;
import java.util.Set;

/** Where objects of a kind are found. */
record Resource(String apiVersion, String kind) {
    private static final Set<String> OF_THE_CLUSTER = Set.of(
            "Node",
            "Namespace",
            "PriorityClass",
            "PersistentVolume",
            "StorageClass",
            "CSINode",
            "CSIDriver",
            "DeviceClass",
            "ResourceSlice",
            "ClusterPlacementPolicy");

    /** The path of all objects of this kind in a namespace, which does not matter for kinds that are in none. */
    String path(String namespace) {
        String group = apiVersion.contains("/") ? "/apis/" + apiVersion : "/api/" + apiVersion;
        String plural = kind.endsWith("y")
                ? kind.toLowerCase(Locale.ROOT).replaceAll("y$", "ies")
                : kind.toLowerCase(Locale.ROOT) + (kind.endsWith("s") ? "es" : "s");
        return OF_THE_CLUSTER.contains(kind) ? group + "/" + plural : group + "/namespaces/" + namespace + "/" + plural;
    }
}
