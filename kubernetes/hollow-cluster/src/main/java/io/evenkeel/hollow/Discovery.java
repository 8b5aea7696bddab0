package io.evenkeel.hollow;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Locale;

/** Says which groups, versions and resources there are. */
final class Discovery {

    private static final String VERSION = "v1";
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private static final List<String> CREATE = List.of("create");

    private Discovery() {}

    /** Whether a path asks about resources rather than for them. */
    static boolean serves(List<String> segments) {
        return segments.getFirst().equals("api") ? segments.size() <= 2 : segments.size() <= 3;
    }

    static JsonObject answer(List<String> segments) {
        if (segments.getFirst().equals("api")) {
            return segments.size() == 1 ? coreVersions() : resources("", segments.get(1));
        }
        return switch (segments.size()) {
            case 1 -> groups();
            case 2 -> group(known(segments.get(1)));
            default -> resources(known(segments.get(1)), segments.get(2));
        };
    }

    private static String known(String group) {
        if (!ResourceTable.groups().contains(group)) {
            throw Refusals.noSuchPath();
        }
        return group;
    }

    private static JsonObject coreVersions() {
        return Trees.of(
                "kind", "APIVersions",
                "versions", List.of(VERSION),
                "serverAddressByClientCIDRs", List.of());
    }

    private static JsonObject groups() {
        JsonObject list = typed("APIGroupList");
        JsonArray groups = Trees.ensureArray(list, "groups");
        ResourceTable.groups().forEach(name -> groups.add(groupEntry(name, new JsonObject())));
        return list;
    }

    private static JsonObject group(String name) {
        return groupEntry(name, typed("APIGroup"));
    }

    private static JsonObject groupEntry(String name, JsonObject group) {
        List<JsonObject> versions = ResourceTable.versions(name).stream()
                .map(each -> Trees.of("groupVersion", name + "/" + each, "version", each))
                .toList();
        group.addProperty("name", name);
        versions.forEach(Trees.ensureArray(group, "versions")::add);
        group.add("preferredVersion", versions.getFirst());
        return group;
    }

    private static JsonObject resources(String group, String version) {
        List<ResourceType> types = ResourceTable.of(group, version);
        if (types.isEmpty()) {
            throw Refusals.noSuchPath();
        }
        JsonObject list = typed("APIResourceList");
        list.addProperty("groupVersion", types.getFirst().apiVersion());
        JsonArray resources = Trees.ensureArray(list, "resources");
        for (ResourceType type : types) {
            resources.add(resource(type, type.resource(), type.kind(), verbs(type, "")));
            for (String subresource : type.subresources()) {
                resources.add(subresource(type, subresource));
            }
        }
        return list;
    }

    private static JsonObject resource(ResourceType type, String name, String kind, List<String> verbs) {
        boolean whole = !name.contains("/");
        JsonObject resource = Trees.of(
                "name", name,
                "singularName", whole ? type.kind().toLowerCase(Locale.ROOT) : "",
                "namespaced", type.namespaced(),
                "kind", kind,
                "verbs", verbs);
        if (!type.shortNames().isEmpty() && whole) {
            type.shortNames().forEach(Trees.ensureArray(resource, "shortNames")::add);
        }
        boolean workload = (type.group().equals("apps") || type.group().equals("batch")) && whole;
        if (workload || name.equals("pods") || name.equals("services")) {
            Trees.ensureArray(resource, "categories").add("all");
        }
        return resource;
    }

    private static JsonObject subresource(ResourceType type, String subresource) {
        return switch (subresource) {
            case "binding" -> subresource(type, subresource, "Binding");
            case "eviction" -> ofGroup("policy", subresource(type, subresource, "Eviction"));
            case "scale" -> ofGroup("autoscaling", subresource(type, subresource, "Scale"));
            case "token" -> ofGroup("authentication.k8s.io", subresource(type, subresource, "TokenRequest"));
            default -> subresource(type, subresource, type.kind());
        };
    }

    private static JsonObject subresource(ResourceType type, String subresource, String kind) {
        return resource(type, type.resource() + "/" + subresource, kind, verbs(type, subresource));
    }

    private static JsonObject ofGroup(String group, JsonObject resource) {
        resource.addProperty("group", group);
        resource.addProperty("version", VERSION);
        return resource;
    }

    /** The verbs of a resource, or of a subresource of it. */
    static List<String> verbs(ResourceType type, String subresource) {
        return switch (subresource) {
            case "" -> type.stored() ? VERBS : CREATE;
            case "binding", "eviction", "token" -> CREATE;
            case "finalize" -> List.of("update");
            default -> List.of("get", "patch", "update");
        };
    }

    private static JsonObject typed(String kind) {
        return Trees.of("kind", kind, "apiVersion", VERSION);
    }
}
