package io.evenkeel.hollow;

import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The resource, object and subresource that a path names; what it does not name is empty. */
record RequestPath(ResourceType type, String namespace, String name, String subresource) {

    private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

    static List<String> segments(String path) {
        return Arrays.stream(path.split("/", -1))
                .filter(segment -> !segment.isEmpty())
                .map(segment -> URLDecoder.decode(segment, StandardCharsets.UTF_8))
                .toList();
    }

    /** Reads {@code /api/v1/…} and {@code /apis/<group>/<version>/…} with at least a resource. */
    static RequestPath read(List<String> segments) {
        boolean core = segments.getFirst().equals("api");
        int head = core ? 2 : 3;
        if (segments.size() <= head) {
            throw Refusals.noSuchPath();
        }
        String group = core ? "" : segments.get(1);
        String version = segments.get(head - 1);
        List<String> rest = segments.subList(head, segments.size());
        String namespace = "";
        if (rest.size() > 2 && rest.getFirst().equals("namespaces") && !NAMESPACE_SUBRESOURCES.contains(rest.get(2))) {
            namespace = rest.get(1);
            rest = rest.subList(2, rest.size());
        }
        ResourceType type = type(group, version, rest.getFirst());
        String subresource = rest.size() > 2 ? rest.get(2) : "";
        Absent.subresource(type, subresource).ifPresent(what -> {
            throw Refusals.absentHere(what);
        });
        boolean known = subresource.isEmpty() || type.subresources().contains(subresource);
        if (rest.size() > 3 || !known || (!type.namespaced() && !namespace.isEmpty())) {
            throw Refusals.noSuchPath();
        }
        return new RequestPath(type, namespace, rest.size() > 1 ? rest.get(1) : "", subresource);
    }

    private static ResourceType type(String group, String version, String resource) {
        return ResourceTable.find(group, version, resource)
                .orElseThrow(() -> Absent.resource(group, resource)
                        .map(Refusals::noSuchPathHere)
                        .orElseGet(Refusals::noSuchPath));
    }

    /**
     * Resources that Kubernetes has and a hollow cluster has not. Requests for them are answered with that reason; for anything
     * else with a plain 404, as by a real server.
     */
    static final class Absent {
        private static final Map<String, List<String>> RESOURCES = Map.ofEntries(
                Map.entry("", List.of("limitranges", "podtemplates", "componentstatuses")),
                Map.entry("admissionregistration.k8s.io", List.of()),
                Map.entry("apiextensions.k8s.io", List.of()),
                Map.entry("apiregistration.k8s.io", List.of()),
                Map.entry("apps", List.of("controllerrevisions")),
                Map.entry("autoscaling", List.of()),
                Map.entry("certificates.k8s.io", List.of()),
                Map.entry("discovery.k8s.io", List.of()),
                Map.entry("flowcontrol.apiserver.k8s.io", List.of()),
                Map.entry("metrics.k8s.io", List.of()),
                Map.entry("networking.k8s.io", List.of("ingresses", "ingressclasses", "ipaddresses", "servicecidrs")),
                Map.entry("node.k8s.io", List.of()),
                Map.entry("scheduling.k8s.io", List.of("workloads")),
                Map.entry("storage.k8s.io", List.of("volumeattributesclasses")));
        private static final String NO_CONTAINERS = "its nodes run no containers";
        private static final Map<String, String> SUBRESOURCES = Map.of(
                "pods/log", "logs: " + NO_CONTAINERS,
                "pods/exec", "exec: " + NO_CONTAINERS,
                "pods/attach", "attach: " + NO_CONTAINERS,
                "pods/portforward", "port-forward: " + NO_CONTAINERS,
                "pods/proxy", "proxy to pods: " + NO_CONTAINERS,
                "pods/ephemeralcontainers", "ephemeral containers: " + NO_CONTAINERS,
                "pods/resize", "resizing of pods in place: " + NO_CONTAINERS,
                "nodes/proxy", "proxy to nodes: they are objects only",
                "services/proxy", "proxy to Services: their addresses lead nowhere");

        private Absent() {}

        /** Names a resource that is missing here only. */
        static Optional<String> resource(String group, String resource) {
            List<String> names = RESOURCES.get(group);
            boolean real = names != null && (names.isEmpty() || names.contains(resource));
            return real ? Optional.of(group.isEmpty() ? resource : resource + "." + group) : Optional.empty();
        }

        /** Names a subresource that is missing here only. */
        static Optional<String> subresource(ResourceType type, String subresource) {
            return Optional.ofNullable(SUBRESOURCES.get(type.resource() + "/" + subresource));
        }
    }

    /** The wish of a request, as authorization names it. */
    enum Verb {
        GET,
        LIST,
        WATCH,
        CREATE,
        UPDATE,
        PATCH,
        DELETE,
        DELETECOLLECTION;

        static Verb of(ApiRequest request, RequestPath path) {
            boolean named = !path.name().isEmpty();
            Verb verb = switch (request.method()) {
                case "GET" -> request.query().isTrue("watch") ? WATCH : named ? GET : LIST;
                case "POST" -> CREATE;
                case "PUT" -> UPDATE;
                case "PATCH" -> PATCH;
                case "DELETE" -> named ? DELETE : DELETECOLLECTION;
                default -> throw Refusals.methodNotAllowed();
            };
            boolean misplaced = switch (verb) {
                case UPDATE, PATCH -> !named;
                case CREATE -> named && !Subresources.serves(path);
                default -> false;
            };
            if (misplaced) {
                throw Refusals.methodNotAllowed();
            }
            return verb;
        }

        String lowerCase() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
