package io.evenkeel.hollow.rest;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.rest.request.ApiReply;
import java.util.function.Predicate;

/**
 * Descriptions of the API's fields. There are none, and each client learns it in the way that it gets along with: kubectl
 * explain shows the words of a plain text only, and other commands do without after any failure.
 */
final class OpenApi {
    private static final String V2 = "/openapi/v2";
    private static final String V3 = "/openapi/v3";

    /** A document that describes nothing, which older kubectls accept: they then check nothing themselves. */
    private static final byte[] EMPTY_V2 = {0x0a, 0x03, '2', '.', '0'};

    private static final String V2_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    private OpenApi() {}

    public static ApiReply answer(String path) {
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
                .forEach(path -> {
                    JsonObject document = new JsonObject();
                    document.addProperty("serverRelativeURL", V3 + "/" + path);
                    paths.add(path, document);
                });
        JsonObject index = new JsonObject();
        index.add("paths", paths);
        return index;
    }
}
