package io.evenkeel.hollow;

import io.evenkeel.hollow.resource.Refusals;
import java.util.Locale;

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
