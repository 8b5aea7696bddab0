package io.evenkeel.model;

import java.util.Map;

/**
 * Reads a {@code resources} field. Limits do not stand in for absent requests here: the API server has done that before
 * a scheduler sees the pod.
 */
final class ResourcesReader {
    private ResourcesReader() {}

    static Resources read(JsonCursor in) {
        Map<String, Quantity> requests = Map.of();
        Map<String, Quantity> limits = Map.of();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "requests" -> requests = in.resources();
                case "limits" -> limits = in.resources();
                default -> in.skip();
            }
        }
        return new Resources(requests, limits);
    }

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
