package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.Volume.VolumeAnnotations;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Answers what is asked of a StorageClass. */
record StorageClass(StoredObject object) {

    /** Says that volumes of the class are made by hand. */
    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

    private static final String IS_DEFAULT = "storageclass.kubernetes.io/is-default-class";

    /** The latest of the default classes counts, as on a real server. */
    private static final Comparator<StorageClass> LATEST_FIRST = Comparator.comparing(
                    (StorageClass each) -> Trees.text(each.tree(), "metadata", "creationTimestamp"))
            .reversed()
            .thenComparing(StorageClass::name);

    static Optional<StorageClass> find(Registry registry, String name) {
        return name.isEmpty()
                ? Optional.empty()
                : registry.find(ResourceTable.STORAGE_CLASSES, "", name).map(StorageClass::new);
    }

    /** The class of claims that name none. */
    static Optional<StorageClass> byDefault(Registry registry) {
        return registry.store().list(ResourceTable.STORAGE_CLASSES.storage(), "").objects().stream()
                .filter(each -> VolumeAnnotations.get(each.tree(), IS_DEFAULT).equals("true"))
                .map(StorageClass::new)
                .min(LATEST_FIRST);
    }

    JsonObject tree() {
        return object.tree();
    }

    String name() {
        return object.name();
    }

    String provisioner() {
        return Trees.text(tree(), "provisioner");
    }

    boolean provisions() {
        return !provisioner().equals(NO_PROVISIONER);
    }

    /** Whether a claim's volume is chosen only once it is known on which node its first pod will be. */
    boolean waitsForFirstConsumer() {
        return Trees.text(tree(), "volumeBindingMode").equals("WaitForFirstConsumer");
    }

    /** A parameter that its provisioner understands; empty where it is not given. */
    String parameter(String name) {
        return Trees.text(tree(), "parameters", name);
    }

    List<JsonObject> allowedTopologies() {
        return Trees.objects(tree(), "allowedTopologies");
    }
}
