package io.evenkeel.app.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The paths there are, each with what answers. {@code /} lists them. To be complete before it is served. */
public final class Routes {
    private static final Parameters FORMAT = Parameters.oneOf("format", "text", "json");

    private final Map<String, Endpoint> exact = new TreeMap<>();
    private final Map<String, Endpoint> below = new TreeMap<>();
    private final HealthObserver health;

    public Routes() {
        this(HealthObserver.NONE);
    }

    public Routes(HealthObserver health) {
        this.health = health;
        exact.put("/", request -> Reply.json(200, index()));
    }

    public Routes add(String path, Endpoint endpoint) {
        if (exact.putIfAbsent(path, endpoint) != null) {
            throw new IllegalArgumentException("the path " + path + " is served already");
        }
        return this;
    }

    /** Serves all that begins with this, which ends with a slash, and is no path of its own. */
    public Routes addBelow(String prefix, Endpoint endpoint) {
        below.put(prefix, endpoint);
        return this;
    }

    /** Serves health checks at the path, and each of them below it. */
    public Routes addHealth(String path, List<HealthCheck> checks) {
        HealthEndpoint endpoint = new HealthEndpoint(path, checks, health);
        return addBelow(path + "/", endpoint).add(path, endpoint);
    }

    /** A dump for people, and one for programs with {@code ?format=json}. */
    public Routes addDump(String path, Supplier<String> text, Supplier<String> json) {
        return add(
                path,
                request -> FORMAT.problem(request)
                        .map(ErrorStatus::badRequest)
                        .orElseGet(() -> request.values("format").contains("json")
                                ? Reply.json(200, json.get())
                                : Reply.text(200, text.get())));
    }

    /** The completed configuration, a JSON object, as Kubernetes components show it. */
    public Routes addConfigz(Supplier<String> componentConfig) {
        return add("/configz", request -> Reply.json(200, "{\"componentconfig\":" + componentConfig.get() + "}"));
    }

    /** The paths that are served so far, in alphabetical order. */
    public List<String> paths() {
        return List.copyOf(exact.keySet());
    }

    Optional<Endpoint> find(String path) {
        Endpoint found = exact.get(path);
        if (found != null) {
            return Optional.of(found);
        }
        return below.entrySet().stream()
                .filter(entry -> path.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private String index() {
        return exact.keySet().stream()
                .map(path -> '"' + path + '"')
                .collect(Collectors.joining(",", "{\"paths\":[", "]}"));
    }
}
