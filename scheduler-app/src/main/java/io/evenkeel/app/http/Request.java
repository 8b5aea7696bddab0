package io.evenkeel.app.http;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.RequestReader.RequestHead;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * A request, as a client sent it. Only a {@link Routes.Setter} reads a body.
 *
 * @param path without the query, decoded, otherwise as it came
 * @param query values by name, in their order
 * @param certificates what the client has shown of itself, its own first. It has the key to that one, as TLS has made
 *     sure; nothing else of them is known to be true
 * @param user who sent it, by name, as the guard has found out; empty where it did not ask
 * @param stillThere whether the client has not hung up, for what takes long to answer
 */
public record Request(
        String method,
        String path,
        Map<String, List<String>> query,
        Headers headers,
        List<X509Certificate> certificates,
        String user,
        BooleanSupplier stillThere) {

    static final String READS = "GET, HEAD";

    /** From a client without a certificate. */
    public Request(String method, String path, Map<String, List<String>> query, Headers headers) {
        this(method, path, query, headers, List.of(), "", () -> true);
    }

    static Request of(Exchange exchange) {
        RequestHead head = exchange.request();
        return new Request(
                head.method(),
                Optional.ofNullable(head.target().getPath()).orElse("/"),
                parse(Optional.ofNullable(head.target().getRawQuery())),
                head.headers(),
                exchange.certificates(),
                "",
                exchange::isClientThere);
    }

    /** Makes it the request of a user. */
    public Request by(String name) {
        return new Request(method, path, query, headers, certificates, name, stillThere);
    }

    boolean isRead() {
        return method.equals("GET") || method.equals("HEAD");
    }

    /** Whether the query names this at all, as in {@code ?verbose}. */
    public boolean asks(String name) {
        return query.containsKey(name);
    }

    public List<String> values(String name) {
        return query.getOrDefault(name, List.of());
    }

    public String header(String name) {
        return Optional.ofNullable(headers.getFirst(name)).orElse("");
    }

    public Set<String> headerNames() {
        return headers.keySet();
    }

    /** The values of all headers of that name, whatever the case of its letters. */
    public List<String> headerValues(String name) {
        return headers.getOrDefault(name, List.of()).stream()
                // the server takes each byte for a letter, clients mean UTF-8
                .map(value -> new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                .toList();
    }

    boolean acceptsGzip() {
        for (String coding : header("Accept-Encoding").toLowerCase(Locale.ROOT).split(",", -1)) {
            // a pattern that also takes the spaces would look at each run of them once for every one of its spaces
            String[] parts = coding.split(";", -1);
            if (parts[0].strip().equals("gzip")) {
                return parts.length == 1 || !parts[1].strip().matches("q=0(\\.0*)?");
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

    /** Text that is not validly encoded is taken as it is. */
    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
