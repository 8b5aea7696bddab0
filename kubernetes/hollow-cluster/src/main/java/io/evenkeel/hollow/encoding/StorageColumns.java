package io.evenkeel.hollow.encoding;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Columns of volumes, claims and what they come from. */
final class StorageColumns {
    private static final Map<String, String> ACCESS_MODES =
            Map.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");
    private static final String UNSET = "<unset>";
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    static final Map<String, List<Column>> BY_KIND = Map.of(
            "PersistentVolumeClaim",
                    List.of(
                            Column.NAME,
                            Column.text("Status", row -> Trees.text(row.tree(), "status", "phase")),
                            Column.text("Volume", row -> Trees.text(row.tree(), "spec", "volumeName")),
                            Column.text("Capacity", row -> Trees.text(row.tree(), "status", "capacity", "storage")),
                            Column.text("Access Modes", row -> accessModes(row, "status")),
                            Column.text("StorageClass", row -> Trees.text(row.tree(), "spec", "storageClassName")),
                            Column.text(
                                    "VolumeAttributesClass",
                                    row -> row.textOr(UNSET, "spec", "volumeAttributesClassName")),
                            Column.AGE,
                            Column.wide("VolumeMode", row -> row.textOr(UNSET, "spec", "volumeMode"))),
            "PersistentVolume",
                    List.of(
                            Column.NAME,
                            Column.text("Capacity", row -> Trees.text(row.tree(), "spec", "capacity", "storage")),
                            Column.text("Access Modes", row -> accessModes(row, "spec")),
                            Column.text(
                                    "Reclaim Policy",
                                    row -> Trees.text(row.tree(), "spec", "persistentVolumeReclaimPolicy")),
                            Column.text("Status", row -> Trees.text(row.tree(), "status", "phase")),
                            Column.text("Claim", StorageColumns::claim),
                            Column.text("StorageClass", row -> Trees.text(row.tree(), "spec", "storageClassName")),
                            Column.text(
                                    "VolumeAttributesClass",
                                    row -> row.textOr(UNSET, "spec", "volumeAttributesClassName")),
                            Column.text("Reason", row -> Trees.text(row.tree(), "status", "reason")),
                            Column.AGE,
                            Column.wide("VolumeMode", row -> row.textOr(UNSET, "spec", "volumeMode"))),
            "StorageClass",
                    List.of(
                            Column.text("Name", StorageColumns::className),
                            Column.text("Provisioner", row -> Trees.text(row.tree(), "provisioner")),
                            Column.text("ReclaimPolicy", row -> row.textOr("Delete", "reclaimPolicy")),
                            Column.text("VolumeBindingMode", row -> row.textOr(UNSET, "volumeBindingMode")),
                            Column.text("AllowVolumeExpansion", row -> row.textOr("false", "allowVolumeExpansion")),
                            Column.AGE),
            "CSINode",
                    List.of(
                            Column.NAME,
                            Column.number("Drivers", row -> (long)
                                    Trees.objects(row.tree(), "spec", "drivers").size()),
                            Column.AGE),
            "ResourceClaim", List.of(Column.NAME, Column.text("State", StorageColumns::claimState), Column.AGE),
            "ResourceSlice",
                    List.of(
                            Column.NAME,
                            Column.text("Node", row -> Trees.text(row.tree(), "spec", "nodeName")),
                            Column.text("Driver", row -> Trees.text(row.tree(), "spec", "driver")),
                            Column.text("Pool", row -> Trees.text(row.tree(), "spec", "pool", "name")),
                            Column.AGE));

    private StorageColumns() {}

    private static String accessModes(Row row, String part) {
        return Trees.texts(row.tree(), part, "accessModes").stream()
                .map(mode -> ACCESS_MODES.getOrDefault(mode, mode))
                .collect(Collectors.joining(","));
    }

    private static String claim(Row row) {
        return Trees.object(row.tree(), "spec", "claimRef")
                .map(claim -> Trees.text(claim, "namespace") + "/" + Trees.text(claim, "name"))
                .orElse("");
    }

    private static String className(Row row) {
        String name = Trees.text(row.tree(), "metadata", "name");
        return Trees.isTrue(row.tree(), "metadata", "annotations", DEFAULT_CLASS) ? name + " (default)" : name;
    }

    /** The steps that a claim has taken, in their order. */
    private static String claimState(Row row) {
        JsonObject status = Trees.object(row.tree(), "status").orElseGet(JsonObject::new);
        boolean allocated = status.has("allocation");
        boolean reserved = !Trees.objects(status, "reservedFor").isEmpty();
        return !allocated ? "pending" : reserved ? "allocated,reserved" : "allocated";
    }
}
