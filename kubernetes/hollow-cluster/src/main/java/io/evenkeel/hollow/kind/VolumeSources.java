package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.SortedSet;

/** The source of a volume: exactly one, which never changes. Only the sources that are in use without a cloud are looked into. */
final class VolumeSources {

    /** In the order in which a real server looks for them. */
    private static final List<String> ALL = List.of(
            "hostPath",
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "glusterfs",
            "flocker",
            "nfs",
            "rbd",
            "quobyte",
            "cephfs",
            "iscsi",
            "cinder",
            "fc",
            "flexVolume",
            "azureFile",
            "vsphereVolume",
            "photonPersistentDisk",
            "portworxVolume",
            "azureDisk",
            "scaleIO",
            "local",
            "storageos",
            "csi");

    private static final List<String> HOST_PATH_TYPES = List.of(
            "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket");

    private VolumeSources() {}

    static void check(JsonObject spec, FieldErrors errors) {
        List<String> sources = ALL.stream().filter(spec::has).toList();
        if (sources.isEmpty()) {
            errors.required("spec", "must specify a volume type");
            return;
        }
        check(sources.getFirst(), spec, errors);
        sources.stream()
                .skip(1)
                .filter(source -> !source.equals("flexVolume")) // which a real server overlooks here
                .map(source -> source.equals("cephfs") ? "cephFS" : source)
                .forEach(source -> errors.forbidden("spec." + source, "may not specify more than 1 volume type"));
    }

    private static void check(String name, JsonObject spec, FieldErrors errors) {
        JsonObject source = Trees.object(spec, name).orElseGet(JsonObject::new);
        String field = "spec." + name;
        switch (name) {
            case "hostPath" -> {
                path(field, source, errors);
                errors.oneOf(field + ".type", Trees.text(source, "type"), HOST_PATH_TYPES);
            }
            case "nfs" -> {
                required(field, source, "server", errors);
                required(field, source, "path", errors);
                String path = Trees.text(source, "path");
                if (!path.startsWith("/")) {
                    errors.invalid(field + ".path", path, "must be an absolute path");
                }
            }
            case "local" -> {
                path(field, source, errors);
                if (!spec.has("nodeAffinity")) {
                    errors.required("spec.nodeAffinity", "Local volume requires node affinity");
                }
            }
            case "csi" -> {
                NameRules.driver(field + ".driver", Trees.text(source, "driver"), errors);
                required(field, source, "volumeHandle", errors);
            }
            default -> {}
        }
    }

    private static void path(String field, JsonObject source, FieldErrors errors) {
        required(field, source, "path", errors);
        String path = Trees.text(source, "path");
        if (List.of(path.split("/")).contains("..")) {
            errors.invalid(field + ".path", path, "must not contain '..'");
        }
    }

    private static void required(String field, JsonObject source, String member, FieldErrors errors) {
        if (Trees.text(source, member).isEmpty()) {
            errors.required(field + "." + member, "");
        }
    }

    static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        SortedSet<String> changed = Immutable.changed(current, updated);
        changed.retainAll(ALL);
        if (!changed.isEmpty()) {
            errors.forbidden(
                    "spec.persistentvolumesource",
                    "spec.persistentvolumesource is immutable after creation\nchanged: " + String.join(", ", changed));
        }
    }
}
