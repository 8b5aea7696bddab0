package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.evenkeel.hollow.Listener.RawRequest;
import io.evenkeel.hollow.ProtobufBody.MalformedMessageException;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A request, read to its end.
 *
 * @param caller who sent it
 * @param user the user that it is for: the caller, unless it acts as another
 */
record ApiRequest(String method, String path, Query query, String accept, Body body, User caller, User user) {

    static ApiRequest read(RawRequest raw, User caller) throws IOException {
        return new ApiRequest(
                raw.method(),
                raw.target().getRawPath(),
                Query.parse(Optional.ofNullable(raw.target().getRawQuery()).orElse("")),
                raw.header("Accept"),
                new Body(raw.header("Content-Type"), raw.body()),
                caller,
                caller.equals(User.ANONYMOUS)
                        ? caller
                        : User.impersonatedBy(raw).orElse(caller));
    }

    JsonObject object() {
        return body.object();
    }

    JsonObject objectOrEmpty() {
        return body.isEmpty() ? new JsonObject() : object();
    }

    boolean dryRun() {
        return query.text("dryRun").equals("All");
    }

    /** A client's data, in a form that it names. */
    static final class Body {
        private static final String JSON = "application/json";

        private final String contentType;
        private final byte[] bytes;

        Body(String contentType, byte[] bytes) {
            this.contentType = contentType;
            this.bytes = bytes;
        }

        String contentType() {
            return contentType;
        }

        String text() {
            return new String(bytes, UTF_8);
        }

        boolean isEmpty() {
            return text().isBlank();
        }

        /** The object, whatever it was written in. */
        JsonObject object() {
            String mediaType = contentType.split(";", -1)[0].strip().toLowerCase(Locale.ROOT);
            return switch (mediaType) {
                case "", "*/*", JSON -> fromJson();
                case ProtobufBody.MEDIA_TYPE -> fromProtobuf();
                default -> throw Refusals.unsupportedMediaType(List.of(JSON, ProtobufBody.MEDIA_TYPE));
            };
        }

        private JsonObject fromJson() {
            try {
                return Trees.parse(text());
            } catch (JsonParseException | IllegalStateException e) {
                throw Refusals.badRequest("couldn't parse the request's body: " + e.getMessage());
            }
        }

        private JsonObject fromProtobuf() {
            try {
                return ProtobufBody.read(bytes);
            } catch (MalformedMessageException e) {
                throw Refusals.badRequest("the object provided is unrecognized: " + e.getMessage());
            }
        }
    }

    /** The parameters of a request. A missing one reads as empty. */
    record Query(Map<String, String> parameters) {

        /** Reads what stands behind the question mark of a URL. */
        static Query parse(String raw) {
            Map<String, String> parameters = new HashMap<>();
            for (String pair : raw.split("&", -1)) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                if (!name.isEmpty()) {
                    parameters.putIfAbsent(decode(name), decode(value));
                }
            }
            return new Query(parameters);
        }

        String text(String name) {
            return parameters.getOrDefault(name, "");
        }

        boolean isTrue(String name) {
            String value = text(name);
            return value.equals("true") || value.equals("1");
        }

        Optional<Boolean> truth(String name) {
            return text(name).isEmpty() ? Optional.empty() : Optional.of(isTrue(name));
        }

        Optional<Long> number(String name) {
            String value = text(name);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(Long.parseLong(value));
            } catch (NumberFormatException e) {
                throw Refusals.badRequest("%s: Invalid value: \"%s\": not a whole number".formatted(name, value));
            }
        }

        private static String decode(String text) {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        }
    }
}
