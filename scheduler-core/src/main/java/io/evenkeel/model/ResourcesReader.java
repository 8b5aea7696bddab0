package io.evenkeel.model;

import java.util.Map;

/**
 * Reads the {@code requests} of a {@code resources} field. Limits do not stand in for absent requests here: the API
 * server has done that before a scheduler sees the pod.
 */
final class ResourcesReader {
    private ResourcesReader() {}

    static Map<String, Quantity> readRequests(JsonCursor in) {
        Map<String, Quantity> requests = Map.of();
        in.enterObject();
        while (in.nextField()) {
            if (in.field().equals("requests")) {
                requests = in.resources();
            } else {
                in.skip();
            }
        }
        return requests;
    }
}
