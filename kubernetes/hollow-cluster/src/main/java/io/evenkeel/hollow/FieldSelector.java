package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Requirements on a few fields, which ones depends on the resource. */
record FieldSelector(List<FieldRequirement> requirements) {

    static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    FieldSelector {
        requirements = List.copyOf(requirements);
    }

    static FieldSelector parse(String text, ResourceType type) {
        if (text.isBlank()) {
            return EVERYTHING;
        }
        List<FieldRequirement> requirements = new ArrayList<>();
        for (String term : text.split(",", -1)) {
            if (!term.isEmpty()) {
                requirements.add(requirement(term, text, type));
            }
        }
        return new FieldSelector(requirements);
    }

    private static FieldRequirement requirement(String term, String text, ResourceType type) {
        int equals = term.indexOf('=');
        if (equals < 1) {
            throw Refusals.badRequest("invalid selector: '%s'; can't understand '%s'".formatted(text, term));
        }
        boolean negated = term.charAt(equals - 1) == '!';
        String field = term.substring(0, negated ? equals - 1 : equals);
        String value = term.substring(term.startsWith("==", equals) ? equals + 2 : equals + 1);
        if (!SelectableFields.of(type).contains(field)) {
            throw Refusals.badRequest("field label not supported: " + field);
        }
        return new FieldRequirement(field, value, negated);
    }

    boolean isEverything() {
        return requirements.isEmpty();
    }

    boolean matches(JsonObject tree) {
        return requirements.stream().allMatch(requirement -> requirement.matches(tree));
    }

    /** One field and the value it must have, or must not have. */
    record FieldRequirement(String field, String value, boolean negated) {

        boolean matches(JsonObject tree) {
            String actual = Trees.text(tree, SelectableFields.path(field));
            if (actual.isEmpty()) {
                actual = SelectableFields.whenMissing(field);
            }
            return actual.equals(value) != negated;
        }
    }

    /** The fields a server lets lists select by. Paths are paths of the stored form, for both versions of events. */
    private static final class SelectableFields {

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
}
