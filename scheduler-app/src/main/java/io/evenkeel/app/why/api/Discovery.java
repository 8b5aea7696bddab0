package io.evenkeel.app.why.api;

import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Routes;

/** What an API server, and kubectl, want to know of an API group before they use it. */
final class Discovery {
    static final String KIND = "Placement";

    private static final String GROUP_VERSION = PlacementApi.GROUP + "/" + PlacementApi.VERSION;
    private static final String PREFERRED =
            "{\"groupVersion\":\"" + GROUP_VERSION + "\",\"version\":\"" + PlacementApi.VERSION + "\"}";
    private static final String NAMED = "\"name\":\"" + PlacementApi.GROUP + "\",\"versions\":[" + PREFERRED
            + "],\"preferredVersion\":" + PREFERRED;
    private static final String GROUP = "{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\"," + NAMED + "}";
    private static final String GROUPS =
            "{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[{" + NAMED + "}]}";
    private static final String RESOURCES = "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\""
            + GROUP_VERSION + "\",\"resources\":[{\"name\":\"pods/placement\",\"singularName\":\"\","
            + "\"namespaced\":true,\"kind\":\"" + KIND + "\",\"verbs\":[\"get\"]}]}";
    /** Without schemas: what is shown of an answer's fields is in docs/why.md. */
    private static final String SWAGGER = "{\"swagger\":\"2.0\",\"info\":{\"title\":\"" + PlacementApi.GROUP
            + "\",\"version\":\"" + PlacementApi.VERSION + "\"},\"paths\":{}}";

    private static final String OPENAPI_3 = "{\"paths\":{}}";

    private Discovery() {}

    static void addTo(Routes routes) {
        routes.add("/apis", _ -> Reply.json(200, GROUPS))
                .add("/apis/" + PlacementApi.GROUP, _ -> Reply.json(200, GROUP))
                .add("/apis/" + GROUP_VERSION, _ -> Reply.json(200, RESOURCES))
                .add("/openapi/v2", _ -> Reply.json(200, SWAGGER))
                .add("/openapi/v3", _ -> Reply.json(200, OPENAPI_3));
    }
}
