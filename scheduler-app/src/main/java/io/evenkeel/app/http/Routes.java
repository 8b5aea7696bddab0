package io.evenkeel.app.http;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The paths there are, each with what answers. {@code /} lists them. To be complete before it is served. */
public final class Routes {
    private static final Parameters FORMAT = Parameters.oneOf("format", "text", "json");

    private final Map<String, Endpoint> exact = new TreeMap<>();
    private final Map<String, Endpoint> below = new TreeMap<>();
    private final Map<String, Setter> setters = new TreeMap<>();
    private final Set<String> open = new HashSet<>();
    private final HealthCheck.HealthObserver health;

    public Routes() {
        this(HealthCheck.HealthObserver.NONE);
    }

    public Routes(HealthCheck.HealthObserver health) {
        this.health = health;
        exact.put("/", request -> Reply.json(200, index()));
    }

    public Routes add(String path, Endpoint endpoint) {
        if (exact.putIfAbsent(path, endpoint) != null) {
            throw new IllegalArgumentException("the path " + path + " is served already");
        }
        return this;
    }

    /** Serves what is no secret to everybody: no access is asked for, as a browser can show no token for a page. */
    public Routes addOpen(String path, Endpoint endpoint) {
        open.add(path);
        return add(path, endpoint);
    }

    boolean isOpen(String path) {
        return open.contains(path);
    }

    /** Takes a value with PUT. */
    public Routes addSetter(String path, Setter setter) {
        setters.put(path, setter);
        return add(path, _ -> Reply.notAllowed(Setter.METHOD));
    }

    /** Takes a value with PUT, and answers without one too. */
    public Routes addSetter(String path, Setter setter, Endpoint endpoint) {
        setters.put(path, setter);
        return add(
                path,
                request -> request.isRead()
                        ? endpoint.answer(request)
                        : Reply.notAllowed(Request.READS + ", " + Setter.METHOD));
    }

    public Optional<Setter> setter(String path) {
        return Optional.ofNullable(setters.get(path));
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

    /** The answer to a request that came in elsewhere, to a path below one of another server's. */
    public Answer answer(Request request) {
        return find(request.path())
                .map(endpoint -> endpoint.answer(request))
                .orElseGet(() -> ErrorStatus.notFound("", "the server could not find the requested resource"));
    }

    private String index() {
        return exact.keySet().stream()
                .map(path -> '"' + path + '"')
                .collect(Collectors.joining(",", "{\"paths\":[", "]}"));
    }

    /**
     * Health checks, answered letter by letter as other Kubernetes components answer: {@code ok}, each check with
     * {@code ?verbose} or on failure, one alone below the path, without the checks that {@code ?exclude=} names. The cause
     * goes to the log, not to the client, which may be anonymous.
     */
    private static final class HealthEndpoint implements Endpoint {
        private static final Logger log = LoggerFactory.getLogger(HealthEndpoint.class);

        private final String path;
        private final List<HealthCheck> checks = new ArrayList<>();
        private final HealthCheck.HealthObserver observer;

        HealthEndpoint(String path, List<HealthCheck> checks, HealthCheck.HealthObserver observer) {
            this.path = path;
            this.observer = observer;
            this.checks.add(HealthCheck.PING);
            this.checks.addAll(checks);
        }

        @Override
        public Reply answer(Request request) {
            return request.path().equals(path)
                    ? all(request)
                    : one(request.path().substring(path.length() + 1));
        }

        private Reply one(String name) {
            return checks.stream()
                    .filter(check -> check.name().equals(name))
                    .findFirst()
                    .map(check -> check.trouble()
                            .get()
                            .map(trouble -> Reply.text(500, "internal server error: " + trouble + "\n"))
                            .orElseGet(() -> Reply.text(200, "ok")))
                    .orElseGet(Reply::notFound);
        }

        private Reply all(Request request) {
            Set<String> excluded = new LinkedHashSet<>(request.values("exclude"));
            StringBuilder details = new StringBuilder();
            List<String> failed = new ArrayList<>();
            for (HealthCheck check : checks) {
                if (excluded.remove(check.name())) {
                    details.append("[+]").append(check.name()).append(" excluded: ok\n");
                    continue;
                }
                Optional<String> trouble = check.trouble().get();
                observer.checked(check.name(), path, trouble.isEmpty());
                if (trouble.isPresent()) {
                    details.append("[-]").append(check.name()).append(" failed: reason withheld\n");
                    failed.add(check.name() + ": " + trouble.get());
                } else {
                    details.append("[+]").append(check.name()).append(" ok\n");
                }
            }
            if (!excluded.isEmpty()) {
                details.append("warn: some health checks cannot be excluded: no matches for ")
                        .append(excluded.stream().map(name -> '"' + name + '"').collect(Collectors.joining(", ")))
                        .append('\n');
            }
            String name = path.substring(1);
            if (!failed.isEmpty()) {
                log.atDebug()
                        .setMessage("Health check failed")
                        .addKeyValue("path", path)
                        .addKeyValue("checks", failed)
                        .log();
                return Reply.text(500, details + name + " check failed\n");
            }
            return Reply.text(200, request.asks("verbose") ? details + name + " check passed\n" : "ok");
        }
    }

    /** Takes the body of a PUT on a path; called by several threads at once. */
    @FunctionalInterface
    public interface Setter {
        String METHOD = "PUT";

        /** How many bytes a body may have. */
        default int longest() {
            return 1024;
        }

        Answer set(Request request, String value);
    }

    /** Answers GET on a path; called by several threads at once. */
    @FunctionalInterface
    public interface Endpoint {
        Answer answer(Request request);
    }

    /** A check: {@code trouble} is empty while all is well; any thread asks it, and it must answer at once. */
    public record HealthCheck(String name, Supplier<Optional<String>> trouble) {
        /** Passes whenever the server answers at all. */
        static final HealthCheck PING = new HealthCheck("ping", Optional::empty);

        /** An observer of health checks, told of each one whenever all of a path are run; called by several threads at once. */
        @FunctionalInterface
        public interface HealthObserver {
            HealthObserver NONE = (check, path, healthy) -> {};

            /** A check has passed or failed, one of those at this path, such as {@code /livez}. */
            void checked(String check, String path, boolean healthy);
        }
    }
}
