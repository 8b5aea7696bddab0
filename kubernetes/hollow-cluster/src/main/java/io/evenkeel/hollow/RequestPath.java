package io.evenkeel.hollow;

import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
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
}
