package io.evenkeel.chart.live;

import static io.evenkeel.chart.live.Eventually.eventually;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;

/**
 * Two claims that get their volumes when a pod needs them: one of the volumes is there, the other is to be made. And what a
 * cluster's controllers do once the scheduler has said which and where, as a hollow one has none of them.
 */
final class LateVolumes {
    private static final ResourceType CLAIMS = type(Kinds.PERSISTENT_VOLUME_CLAIM);
    private static final ResourceType VOLUMES = type(Kinds.PERSISTENT_VOLUME);

    private final HollowObjects objects;

    LateVolumes(HollowObjects objects) {
        this.objects = objects;
    }

    void create() {
        storageClass("local", "kubernetes.io/no-provisioner");
        storageClass("disk", "disk.example.com");
        claim("found", "local");
        claim("made", "disk");
        volume("there", "local");
    }

    /** Binds both as soon as the scheduler has decided. */
    void bind() {
        eventually("a volume is the claim's")
                .until(() -> Trees.text(volumeNamed("there"), "spec", "claimRef", "name")
                        .equals("found"));
        bind("found", "there");
        eventually("a volume is to be made near a node")
                .until(() -> Trees.text(
                                claimNamed("made"), "metadata", "annotations", "volume.kubernetes.io/selected-node")
                        .equals("n1"));
        volume("new", "disk");
        bind("made", "new");
    }

    private void storageClass(String name, String provisioner) {
        create("""
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: %s}
            provisioner: %s
            volumeBindingMode: WaitForFirstConsumer
            """.formatted(name, provisioner));
    }

    private void claim(String name, String storageClass) {
        create("""
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: %s}
            spec:
              storageClassName: %s
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 1Gi}}
            """.formatted(name, storageClass));
    }

    private void volume(String name, String storageClass) {
        create("""
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: %s}
            spec:
              storageClassName: %s
              accessModes: [ReadWriteOnce]
              capacity: {storage: 1Gi}
              hostPath: {path: /mnt}
            """.formatted(name, storageClass));
        objects.patchStatus(VOLUMES, "", name, "{\"status\": {\"phase\": \"Available\"}}");
    }

    private void bind(String claim, String volume) {
        String bound = """
            metadata: {annotations: {pv.kubernetes.io/bind-completed: 'yes'}}
            spec: {volumeName: %s}
            """.formatted(volume);
        objects.patch(CLAIMS, "default", claim, Yaml.document(bound).toString());
    }

    private void create(String yaml) {
        objects.create(Yaml.document(yaml).toString());
    }

    private JsonObject claimNamed(String name) {
        return Trees.parse(objects.get(CLAIMS, "default", name).orElseThrow());
    }

    private JsonObject volumeNamed(String name) {
        return Trees.parse(objects.get(VOLUMES, "", name).orElseThrow());
    }

    private static ResourceType type(Kind<?> kind) {
        return ResourceTable.ofKind(kind.apiVersion(), kind.name()).orElseThrow();
    }
}
