package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.ApiException;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Sends a request to who answers it. */
record Router(Resources resources, Reviews reviews, Supplier<Authorizer> authorizer) {
    /** The attributes of the request, for authorization, faults and the log. */
    Attributes attributes(ApiRequest request, List<String> segments) {
        if (isForObjects(segments)) {
            try {
                RequestPath path = RequestPath.read(segments);
                String verb = Verb.of(request, path).lowerCase();
                return new Attributes(
                        verb,
                        path.type().group(),
                        path.type().resource(),
                        path.subresource(),
                        path.namespace(),
                        path.name());
            } catch (ApiException e) {
                // a path that nothing answers to is about nothing; route() refuses it
            }
        }
        return new Attributes(request.method().toLowerCase(Locale.ROOT), "", "", "", "", request.path());
    }

    ApiReply route(ApiRequest request, List<String> segments, Attributes attributes) {
        request.caller().checkMayActAs(request.user(), authorizer.get());
        if (!isForObjects(segments)) {
            return aboutTheServer(request, segments);
        }
        RequestPath path = RequestPath.read(segments);
        Verb verb = Verb.of(request, path);
        if (!authorizer.get().allows(request.user(), attributes)) {
            throw forbidden(request, path, attributes);
        }
        if (path.type().equals(ResourceTable.BINDINGS)) {
            return resources.bindings(request, path, verb);
        }
        return path.type().stored() ? resources.serve(request, path, verb) : reviews.answer(request, path.type(), verb);
    }

    private static boolean isForObjects(List<String> segments) {
        return !segments.isEmpty()
                && (segments.getFirst().equals("api") || segments.getFirst().equals("apis"))
                && !Discovery.serves(segments);
    }

    private static ApiReply aboutTheServer(ApiRequest request, List<String> segments) {
        if (!request.method().equals("GET") || segments.isEmpty()) {
            throw Refusals.noSuchPath();
        }
        return switch (segments.getFirst()) {
            case "api", "apis" -> ApiReply.json(200, Discovery.answer(segments));
            case "version" -> ApiReply.json(200, version());
            case "livez", "readyz", "healthz" -> ApiReply.text("ok");
            case "openapi" -> OpenApi.answer(request.path());
            default -> throw Refusals.noSuchPath();
        };
    }

    private static ApiException forbidden(ApiRequest request, RequestPath path, Attributes attributes) {
        String where =
                path.namespace().isEmpty() ? "at the cluster scope" : "in the namespace \"" + path.namespace() + "\"";
        return Refusals.forbidden(
                path.type(),
                path.name(),
                "User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
                        .formatted(
                                request.user().name(),
                                attributes.verb(),
                                attributes.resourcePath(),
                                path.type().group(),
                                where));
    }

    /**
     * Descriptions of the API's fields. There are none, and each client learns it in the way that it gets along with: kubectl
     * explain shows the words of a plain text only, and other commands do without after any failure.
     */
    private static final class OpenApi {
        private static final String V2 = "/openapi/v2";
        private static final String V3 = "/openapi/v3";

        /** A document that describes nothing, which older kubectls accept: they then check nothing themselves. */
        private static final byte[] EMPTY_V2 = {0x0a, 0x03, '2', '.', '0'};

        private static final String V2_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

        private OpenApi() {}

        static ApiReply answer(String path) {
            return switch (path) {
                case V2 -> ApiReply.of(200, V2_TYPE, EMPTY_V2);
                case V3 -> ApiReply.json(200, index());
                default -> ApiReply.text(501, "a hollow cluster has no descriptions of its fields");
            };
        }

        /** Where the documents would be. Without it kubectl explain goes on to the empty one, and blames the kind. */
        private static JsonObject index() {
            JsonObject paths = new JsonObject();
            ResourceTable.ALL.stream()
                    .filter(ResourceType::stored)
                    .map(type -> (type.group().isEmpty() ? "api/" : "apis/") + type.apiVersion())
                    .filter(Predicate.not(paths::has))
                    .forEach(path -> paths.add(path, Trees.of("serverRelativeURL", V3 + "/" + path)));
            return Trees.of("paths", paths);
        }
    }

    /** The server's word on itself. */
    private static JsonObject version() {
        return Trees.of(
                "major", "1",
                "minor", "36",
                "emulationMajor", "1",
                "emulationMinor", "36",
                "minCompatibilityMajor", "1",
                "minCompatibilityMinor", "35",
                "gitVersion", "v1.36.0+hollow",
                "gitCommit", "",
                "gitTreeState", "",
                "buildDate", "1970-01-01T00:00:00Z",
                "goVersion", "",
                "compiler", "",
                "platform", "linux/amd64");
    }
}
