package io.evenkeel.hollow.resource;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.Schema;
import io.evenkeel.schema.TypeMeta;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A resource of one API version.
 *
 * @param storage where its objects are kept; two versions of one resource share it
 * @param subresources what can follow an object's name in a path
 */
public record ResourceType(
        String group,
        String version,
        String resource,
        String kind,
        boolean namespaced,
        List<String> shortNames,
        List<String> subresources,
        String storage) {
    private static final String NOT_ENFORCED = "kept, and everybody may do everything all the same";
    private static final Map<String, String> KEPT_ONLY = Map.of(
            "Role",
            NOT_ENFORCED,
            "RoleBinding",
            NOT_ENFORCED,
            "ClusterRole",
            NOT_ENFORCED,
            "ClusterRoleBinding",
            NOT_ENFORCED,
            "NetworkPolicy",
            "kept: there is no network to restrict",
            "CronJob",
            "kept, and no Jobs are made of it",
            "ReplicationController",
            "kept, and no pods are made of it");

    static ResourceType cluster(String group, String version, String resource, String kind) {
        return new ResourceType(group, version, resource, kind, false, List.of(), List.of(), resource);
    }

    static ResourceType namespaced(String group, String version, String resource, String kind) {
        return new ResourceType(group, version, resource, kind, true, List.of(), List.of(), resource);
    }

    ResourceType shortNames(String... names) {
        return new ResourceType(group, version, resource, kind, namespaced, List.of(names), subresources, storage);
    }

    ResourceType with(String... names) {
        return new ResourceType(group, version, resource, kind, namespaced, shortNames, List.of(names), storage);
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** As messages name it: {@code pods}, {@code leases.coordination.k8s.io}. */
    public String groupResource() {
        return group.isEmpty() ? resource : resource + "." + group;
    }

    public TypeMeta typeMeta() {
        return new TypeMeta(apiVersion(), kind);
    }

    /** The object with its type, before all else. */
    public JsonObject typed(JsonObject tree) {
        JsonObject typed = Trees.of("kind", kind, "apiVersion", apiVersion());
        tree.entrySet().forEach(member -> typed.add(member.getKey(), member.getValue()));
        return typed;
    }

    public TypeMeta listTypeMeta() {
        return new TypeMeta(apiVersion(), kind + "List");
    }

    /** Whether it is a custom resource, which has no protobuf and takes no strategic merge patches. */
    public boolean isCustom() {
        return !Schema.KUBERNETES.hasProtobuf(typeMeta());
    }

    public boolean hasStatus() {
        return subresources.contains("status");
    }

    /** What becomes of an object that is kept, and nothing is done about. */
    public Optional<String> keptOnly() {
        return Optional.ofNullable(KEPT_ONLY.get(kind));
    }

    /** A review is answered and forgotten. */
    public boolean stored() {
        return !storage.isEmpty();
    }

    /** Another group has a resource of the same name. */
    ResourceType storedByItsGroup() {
        return new ResourceType(group, version, resource, kind, namespaced, shortNames, subresources, groupResource());
    }

    ResourceType answeredOnly() {
        return new ResourceType(group, version, resource, kind, namespaced, shortNames, subresources, "");
    }
}
