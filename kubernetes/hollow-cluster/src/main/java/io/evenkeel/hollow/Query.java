package io.evenkeel.hollow;

import io.evenkeel.hollow.resource.Refusals;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

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
