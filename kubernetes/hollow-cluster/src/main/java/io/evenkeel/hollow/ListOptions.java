package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.ApiRequest.Query;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.LabelSelector;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The options of a list or watch, checked as a real server checks them. */
record ListOptions(
        ObjectSelector selector,
        String resourceVersion,
        String resourceVersionMatch,
        long limit,
        String continueToken,
        Optional<Boolean> sendInitialEvents,
        boolean bookmarks,
        Optional<Long> timeoutSeconds) {

    private static final String MATCH = "resourceVersionMatch";
    private static final String INITIAL = "sendInitialEvents";
    private static final String EXACT = "Exact";
    private static final String NOT_OLDER = "NotOlderThan";

    static ListOptions read(Query query, ResourceType type) {
        String version = query.text("resourceVersion");
        if (!version.matches("[0-9]{0,18}")) {
            throw Refusals.badRequest("resourceVersion: Invalid value: \"" + version + "\": must be a whole number");
        }
        return new ListOptions(
                new ObjectSelector(
                        LabelSelector.parse(query.text("labelSelector")),
                        FieldSelector.parse(query.text("fieldSelector"), type)),
                version,
                query.text(MATCH),
                query.number("limit").orElse(0L),
                query.text("continue"),
                query.truth(INITIAL),
                query.isTrue("allowWatchBookmarks"),
                query.number("timeoutSeconds"));
    }

    ListOptions selecting(ObjectSelector other) {
        return new ListOptions(
                other,
                resourceVersion,
                resourceVersionMatch,
                limit,
                continueToken,
                sendInitialEvents,
                bookmarks,
                timeoutSeconds);
    }

    long version() {
        return resourceVersion.isEmpty() ? 0 : Long.parseLong(resourceVersion);
    }

    boolean exact() {
        return resourceVersionMatch.equals(EXACT);
    }

    void checkForList() {
        FieldErrors errors = new FieldErrors();
        if (!resourceVersionMatch.isEmpty()) {
            if (resourceVersion.isEmpty()) {
                errors.forbidden(MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided");
            }
            if (!continueToken.isEmpty()) {
                errors.forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided");
            }
            if (!exact() && !resourceVersionMatch.equals(NOT_OLDER)) {
                errors.notSupported(MATCH, resourceVersionMatch, List.of(EXACT, NOT_OLDER, ""));
            }
            if (exact() && resourceVersion.equals("0")) {
                errors.forbidden(MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
            }
        }
        if (sendInitialEvents.isPresent()) {
            errors.forbidden(INITIAL, "sendInitialEvents is forbidden for list");
        }
        refuse(errors);
    }

    void checkForWatch(boolean watchListOffered) {
        FieldErrors errors = new FieldErrors();
        if (sendInitialEvents.isPresent()) {
            if (!resourceVersionMatch.equals(NOT_OLDER)) {
                errors.forbidden(MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
            }
            if (!watchListOffered) {
                errors.forbidden(
                        INITIAL,
                        "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled");
            }
        }
        if (!resourceVersionMatch.isEmpty()) {
            if (sendInitialEvents.isEmpty()) {
                errors.forbidden(
                        MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
            }
            if (!resourceVersionMatch.equals(NOT_OLDER)) {
                errors.notSupported(MATCH, resourceVersionMatch, List.of(NOT_OLDER));
            }
            if (!continueToken.isEmpty()) {
                errors.forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided");
            }
        }
        refuse(errors);
    }

    private static void refuse(FieldErrors errors) {
        errors.refuse("meta.k8s.io", "ListOptions", "");
    }

    /** The choice of a list or watch within its resource and namespace. */
    record ObjectSelector(LabelSelector labels, FieldSelector fields) {

        static final ObjectSelector EVERYTHING = new ObjectSelector(LabelSelector.EVERYTHING, FieldSelector.EVERYTHING);

        boolean isEverything() {
            return labels.isEverything() && fields.isEverything();
        }

        boolean matches(JsonObject tree) {
            return fields.matches(tree) && labels.matches(tree);
        }
    }

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
                    "resourceslices", Set.of("spec.nodeName", "spec.driver"),
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
}
