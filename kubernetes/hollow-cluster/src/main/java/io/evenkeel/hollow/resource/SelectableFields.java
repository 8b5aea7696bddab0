package io.evenkeel.hollow.resource;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The fields a server lets lists select by. Paths are paths of the stored form, for both versions of events. */
final class SelectableFields {

    private static final Set<String> EVERY_KIND = Set.of("metadata.name", "metadata.namespace");
    private static final Set<String> EVENT = Set.of(
            "involvedObject.kind",
            "involvedObject.namespace",
            "involvedObject.name",
            "involvedObject.uid",
            "involvedObject.apiVersion",
            "involvedObject.resourceVersion",
            "involvedObject.fieldPath",
            "reason",
            "reportingComponent",
            "source",
            "type");

    private static final Map<String, Set<String>> BY_RESOURCE = Map.of(
            "pods",
                    Set.of(
                            "spec.nodeName",
                            "spec.restartPolicy",
                            "spec.schedulerName",
                            "spec.serviceAccountName",
                            "spec.hostNetwork",
                            "status.phase",
                            "status.podIP",
                            "status.podIPs",
                            "status.nominatedNodeName"),
            "nodes", Set.of("spec.unschedulable"),
            "namespaces", Set.of("status.phase", "name"),
            "secrets", Set.of("type"),
            "replicasets", Set.of("status.replicas"),
            "replicationcontrollers", Set.of("status.replicas"),
            "events", EVENT);

    private static final Map<String, String[]> PATHS = new ConcurrentHashMap<>();

    private SelectableFields() {}

    static Set<String> of(ResourceType type) {
        return Stream.concat(EVERY_KIND.stream(), BY_RESOURCE.getOrDefault(type.storage(), Set.of()).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    static String[] path(String field) {
        return PATHS.computeIfAbsent(field, SelectableFields::split);
    }

    static String whenMissing(String field) {
        return switch (field) {
            case "spec.unschedulable", "spec.hostNetwork" -> "false";
            case "status.replicas" -> "0";
            default -> "";
        };
    }

    private static String[] split(String field) {
        return switch (field) {
            case "name" -> new String[] {"metadata", "name"};
            case "source" -> new String[] {"source", "component"};
            default -> field.split("\\.", -1);
        };
    }
}
