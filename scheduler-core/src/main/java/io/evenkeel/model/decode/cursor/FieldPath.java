package io.evenkeel.model.decode.cursor;

import com.fasterxml.jackson.core.JsonStreamContext;

/** The place in an object where a parser stands, in the notation of Kubernetes' own messages: {@code spec.containers[0].image}. */
final class FieldPath {
    private FieldPath() {}

    /** The path from an object (its own context) to the place (a context within it). */
    static String between(JsonStreamContext object, JsonStreamContext place) {
        StringBuilder path = new StringBuilder();
        append(path, object, place);
        return path.toString();
    }

    @SuppressWarnings("ReferenceEquality") // a context is a place, not a value
    private static void append(StringBuilder path, JsonStreamContext object, JsonStreamContext place) {
        if (place != object && place.getParent() != null) {
            append(path, object, place.getParent());
        }
        if (place.inArray() && place.hasCurrentIndex()) {
            path.append('[').append(place.getCurrentIndex()).append(']');
        } else if (place.inObject() && place.hasCurrentName()) {
            boolean apart = !path.isEmpty() && !place.getCurrentName().isEmpty();
            path.append(apart ? "." : "").append(place.getCurrentName());
        }
    }
}
