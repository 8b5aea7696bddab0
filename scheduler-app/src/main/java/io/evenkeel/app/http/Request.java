package io.evenkeel.app.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a client asks for. Bodies are never read.
 *
 * @param path without the query, decoded, otherwise as it came
 * @param query values by name, in their order
 */
public record Request(String method, String path, Map<String, List<String>> query, Headers headers) {

    static Request of(HttpExchange exchange) {
        return new Request(
                exchange.getRequestMethod(),
                Optional.ofNullable(exchange.getRequestURI().getPath()).orElse("/"),
                parse(Optional.ofNullable(exchange.getRequestURI().getRawQuery())),
                exchange.getRequestHeaders());
    }

    /** Whether the query names this at all, as in {@code ?verbose}. */
    public boolean asks(String name) {
        return query.containsKey(name);
    }

    public List<String> values(String name) {
        return query.getOrDefault(name, List.of());
    }

    /** The header's value, or an empty string. */
    public String header(String name) {
        return Optional.ofNullable(headers.getFirst(name)).orElse("");
    }

    boolean acceptsGzip() {
        for (String coding : header("Accept-Encoding").toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = coding.strip().split("\\s*;\\s*", -1);
            if (parts[0].equals("gzip")) {
                return parts.length == 1 || !parts[1].matches("q=0(\\.0*)?");
            }
        }
        return false;
    }

    private static Map<String, List<String>> parse(Optional<String> raw) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        for (String pair : raw.orElse("").split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = decode(equals < 0 ? pair : pair.substring(0, equals));
                query.computeIfAbsent(name, n -> new ArrayList<>())
                        .add(equals < 0 ? "" : decode(pair.substring(equals + 1)));
            }
        }
        return query;
    }

    /** What is no valid encoding stands for itself. */
    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
