package io.evenkeel.e2e.scene;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.Optional;

/** Storage classes, volumes and claims of a scene; those of the whole cluster have its name before theirs. */
public final class Storage {
    private static final String STORAGE = "storage.k8s.io/v1";
    private static final String READ_WRITE_ONCE = "ReadWriteOnce";

    private final Scene scene;

    public Storage(Scene scene) {
        this.scene = scene;
    }

    public String name(String volumeOrClass) {
        return scene.namespace() + "-" + volumeOrClass;
    }

    /** A class whose claims are bound once there is a pod for them; the draft is what it has beside that. */
    public void lateClass(String name, String draft) {
        scene.createInCluster(
                STORAGE, "StorageClass", name(name), "{volumeBindingMode: WaitForFirstConsumer, %s}".formatted(draft));
    }

    /** A class without a provisioner: its claims get volumes that are there. */
    public void staticClass(String name) {
        lateClass(name, "provisioner: kubernetes.io/no-provisioner");
    }

    /** A volume that only this node reaches. */
    public void localVolume(String name, String storageClass, String size, String node) {
        localVolume(name, storageClass, size, node, READ_WRITE_ONCE);
    }

    public void localVolume(String name, String storageClass, String size, String node, String accessMode) {
        volume(name, storageClass, size, "kubernetes.io/hostname", scene.nodeName(node), accessMode);
    }

    /** A volume that only nodes with this label reach. */
    public void volume(String name, String storageClass, String size, String key, String value) {
        volume(name, storageClass, size, key, value, READ_WRITE_ONCE);
    }

    public void volume(String name, String storageClass, String size, String key, String value, String accessMode) {
        scene.createInCluster(
                "v1", "PersistentVolume", name(name), """
                    spec:
                      capacity: {storage: %s}
                      accessModes: [%s]
                      storageClassName: %s
                      persistentVolumeReclaimPolicy: Retain
                      local: {path: /var/evenkeel-e2e}
                      nodeAffinity:
                        required:
                          nodeSelectorTerms:
                          - matchExpressions: [{key: %s, operator: In, values: [%s]}]
                    """.formatted(size, accessMode, name(storageClass), key, value));
    }

    public void claim(String name, String storageClass, String size) {
        claim(name, storageClass, size, READ_WRITE_ONCE);
    }

    public void claim(String name, String storageClass, String size, String accessMode) {
        scene.create(
                "v1",
                "PersistentVolumeClaim",
                name,
                "spec: {storageClassName: %s, accessModes: [%s], resources: {requests: {storage: %s}}}"
                        .formatted(name(storageClass), accessMode, size));
    }

    /** How many volumes of a driver can be attached to a node. */
    public void limit(String node, String driver, int count) {
        scene.createInCluster(
                STORAGE,
                "CSINode",
                scene.nodeName(node),
                "spec: {drivers: [{name: %s, nodeID: n, topologyKeys: null, allocatable: {count: %d}}]}"
                        .formatted(driver, count));
    }

    public String csiNodePath(String node) {
        return "/apis/storage.k8s.io/v1/csinodes/" + scene.nodeName(node);
    }

    public String claimPath(String claim) {
        return scene.path("v1", "PersistentVolumeClaim") + "/" + claim;
    }

    public String volumePath(String volume) {
        return "/api/v1/persistentvolumes/" + name(volume);
    }

    public JsonObject claim(String name) {
        return scene.api().get(claimPath(name));
    }

    public boolean isBound(String claim) {
        return Trees.text(claim(claim), "status", "phase").equals("Bound");
    }

    /** The volume that the claim names, without the scene's name; empty for none. */
    public Optional<JsonObject> volumeOf(String claim) {
        String volume = Trees.text(claim(claim), "spec", "volumeName");
        return volume.isEmpty()
                ? Optional.empty()
                : Optional.of(scene.api().get("/api/v1/persistentvolumes/" + volume));
    }

    /** The volumes of a pod with these claims, for its draft. */
    public static String claims(String... names) {
        StringBuilder volumes = new StringBuilder("volumes: [");
        for (String name : names) {
            volumes.append("{name: %s, persistentVolumeClaim: {claimName: %s}}, ".formatted(name, name));
        }
        return volumes.append("]").toString();
    }
}
