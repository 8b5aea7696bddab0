package io.evenkeel.hollow.rest;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import java.util.List;

/** Says which groups, versions and resources there are. */
final class Discovery {

    private static final String VERSION = "v1";
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private static final List<String> CREATE = List.of("create");

    private Discovery() {}

    /** Whether a path asks about resources rather than for them. */
    public static boolean serves(List<String> segments) {
        return segments.getFirst().equals("api") ? segments.size() <= 2 : segments.size() <= 3;
    }

    public static JsonObject answer(List<String> segments) {
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
        JsonObject versions = new JsonObject();
        versions.addProperty("kind", "APIVersions");
        JsonArray names = new JsonArray();
        names.add(VERSION);
        versions.add("versions", names);
        versions.add("serverAddressByClientCIDRs", new JsonArray());
        return versions;
    }

    private static JsonObject groups() {
        JsonObject list = typed("APIGroupList");
        JsonArray groups = new JsonArray();
        ResourceTable.groups().forEach(name -> groups.add(groupEntry(name, new JsonObject())));
        list.add("groups", groups);
        return list;
    }

    private static JsonObject group(String name) {
        return groupEntry(name, typed("APIGroup"));
    }

    private static JsonObject groupEntry(String name, JsonObject group) {
        JsonArray versions = new JsonArray();
        for (String each : ResourceTable.versions(name)) {
            JsonObject version = new JsonObject();
            version.addProperty("groupVersion", name + "/" + each);
            version.addProperty("version", each);
            versions.add(version);
        }
        group.addProperty("name", name);
        group.add("versions", versions);
        group.add("preferredVersion", versions.get(0));
        return group;
    }

    private static JsonObject resources(String group, String version) {
        List<ResourceType> types = ResourceTable.of(group, version);
        if (types.isEmpty()) {
            throw Refusals.noSuchPath();
        }
        JsonObject list = typed("APIResourceList");
        list.addProperty("groupVersion", types.getFirst().apiVersion());
        JsonArray resources = new JsonArray();
        for (ResourceType type : types) {
            resources.add(resource(type, type.resource(), type.kind(), verbs(type, "")));
            for (String subresource : type.subresources()) {
                resources.add(subresource(type, subresource));
            }
        }
        list.add("resources", resources);
        return list;
    }

    private static JsonObject resource(ResourceType type, String name, String kind, List<String> verbs) {
        JsonObject resource = new JsonObject();
        resource.addProperty("name", name);
        resource.addProperty(
                "singularName", name.contains("/") ? "" : type.kind().toLowerCase(java.util.Locale.ROOT));
        resource.addProperty("namespaced", type.namespaced());
        resource.addProperty("kind", kind);
        JsonArray allowed = new JsonArray();
        verbs.forEach(allowed::add);
        resource.add("verbs", allowed);
        if (!type.shortNames().isEmpty() && !name.contains("/")) {
            JsonArray shortNames = new JsonArray();
            type.shortNames().forEach(shortNames::add);
            resource.add("shortNames", shortNames);
        }
        boolean workload = type.group().equals("apps") && !name.contains("/");
        if (workload || name.equals("pods") || name.equals("services")) {
            JsonArray categories = new JsonArray();
            categories.add("all");
            resource.add("categories", categories);
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
        JsonObject tree = new JsonObject();
        tree.addProperty("kind", kind);
        tree.addProperty("apiVersion", VERSION);
        return tree;
    }
}
