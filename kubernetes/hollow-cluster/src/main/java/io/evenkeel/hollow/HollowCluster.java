package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.file.SecretFile;
import io.evenkeel.hollow.Authorizer.Attributes;
import io.evenkeel.hollow.Faults.Fault;
import io.evenkeel.hollow.Listener.Answerer;
import io.evenkeel.hollow.Listener.Outcome;
import io.evenkeel.hollow.Listener.RawRequest;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import io.evenkeel.hollow.RequestPath.Verb;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.model.json.Trees;
import io.evenkeel.tls.SelfSignedCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes API server without a cluster behind it, on a port of the loopback address.
 *
 * <p>It answers as a real one does for what a scheduler and its user do. There are no kubelets and no controllers here: a
 * bound pod stays Pending, a Deployment makes no pods, unless a client writes so. {@code HollowWorld} has them.
 */
public final class HollowCluster implements AutoCloseable {

    private static final Duration CERTIFICATE_LIFETIME = Duration.ofDays(3650);
    private static final int LOGGED_REQUESTS = 100_000;
    private static final String ADMIN = "hollow-admin";

    private final Tokens tokens = new Tokens();
    private final String adminToken = UUID.randomUUID().toString();
    private final RequestLog requestLog = new RequestLog(LOGGED_REQUESTS);
    private final Faults faults;
    private final Store store;
    private final HollowObjects objects;
    private final OpenWatches watches;
    private final Gateway gateway;
    private final Optional<SelfSignedCertificate> certificate;
    private int port;
    private @Nullable Listener listener;
    private volatile Authorizer authorizer = Authorizer.ALLOW_AUTHENTICATED;

    private HollowCluster(HollowOptions options) {
        faults = new Faults(options.seed());
        store = new Store(options.history());
        Registry registry = new Registry(store, options.clock(), options.serviceAccountTokens(), UUID::randomUUID);
        Bootstrap.fill(registry);
        objects = new HollowObjects(registry);
        tokens.add(adminToken, User.named(ADMIN, "system:masters"));
        certificate = options.tls()
                ? Optional.of(SelfSignedCertificate.forHosts(List.of("localhost", "127.0.0.1"), CERTIFICATE_LIFETIME))
                : Optional.empty();
        port = options.port();
        ObjectWriter writer = new ObjectWriter(
                List.of(new JsonEncoding(), new TableEncoding(options.clock()), new ProtobufEncoding()));
        watches = new OpenWatches(store, writer, faults, options.bookmarkInterval(), options.watchList());
        Resources resources = new Resources(registry, writer, watches, tokens);
        Router router = new Router(
                resources, new Reviews(tokens, () -> authorizer, writer), () -> authorizer, options.release());
        gateway = new Gateway(tokens, router, faults, requestLog);
    }

    /** Starts a cluster with the default options. */
    public static HollowCluster start() {
        return start(HollowOptions.DEFAULT);
    }

    public static HollowCluster start(HollowOptions options) {
        HollowCluster cluster = new HollowCluster(options);
        cluster.serve();
        return cluster;
    }

    public synchronized String url() {
        return (certificate.isPresent() ? "https" : "http") + "://127.0.0.1:" + port;
    }

    /** A kubeconfig for the administrator. */
    public String kubeconfig() {
        return kubeconfig(ADMIN, adminToken);
    }

    /** A kubeconfig for a user; {@link #tokens()} knows the token. */
    public String kubeconfig(String user, String token) {
        return KubeconfigWriter.yaml(url(), caPem(), user, token);
    }

    /** Writes the administrator's to a file, which its owner alone may read. */
    public Path writeKubeconfig(Path file) throws IOException {
        return SecretFile.write(file, kubeconfig());
    }

    public String adminToken() {
        return adminToken;
    }

    /** The certificate to trust, unless the cluster speaks plain HTTP. */
    public Optional<String> caPem() {
        return certificate.map(SelfSignedCertificate::pem);
    }

    /** An SSL context that trusts the cluster, unless it speaks plain HTTP. */
    public Optional<SSLContext> sslContext() {
        return certificate.map(SelfSignedCertificate::sslContext);
    }

    /** The objects, read and written without HTTP. */
    public HollowObjects objects() {
        return objects;
    }

    public Tokens tokens() {
        return tokens;
    }

    public Faults faults() {
        return faults;
    }

    public RequestLog requestLog() {
        return requestLog;
    }

    /** Decides from now on who may do what. */
    public void authorize(Authorizer rule) {
        authorizer = rule;
    }

    /** Forgets the history: watches and pages from before begin with 410. */
    public void compact() {
        store.compact();
    }

    /** The version of the latest write. */
    public long version() {
        return store.version();
    }

    /** Ends all watches now; their clients will come back. */
    public void closeWatches() {
        watches.closeAll();
    }

    public int openWatches() {
        return watches.open();
    }

    /** Accepts connections; on any free port the first time if none was set, on the same port ever after. */
    private synchronized void serve() {
        if (listener == null) {
            listener = Listener.open(port, sslContext(), gateway);
            port = listener.port();
        }
    }

    /** Breaks all connections and refuses new ones until {@link #restartServer()}. */
    public synchronized void stopServer() {
        if (listener != null) {
            watches.closeAll();
            listener.close();
            listener = null;
        }
    }

    /** Serves again, on the same port and with the same objects. */
    public void restartServer() {
        stopServer();
        serve();
    }

    @Override
    public void close() {
        stopServer();
    }

    /** Objects that a new cluster has. */
    private static final class Bootstrap {

        private static final List<String> NAMESPACES =
                List.of("default", "kube-node-lease", "kube-public", "kube-system");

        private Bootstrap() {}

        static void fill(Registry registry) {
            NAMESPACES.forEach(name -> {
                registry.create(ResourceTable.NAMESPACES, "", named(name), false);
                registry.create(ResourceTable.SERVICE_ACCOUNTS, name, named("default"), false);
            });
            priorityClass(registry, "system-cluster-critical", 2_000_000_000);
            priorityClass(registry, "system-node-critical", 2_000_001_000);
            // a fresh server's watch cache begins with what it finds: older versions are gone
            registry.store().compact();
        }

        private static void priorityClass(Registry registry, String name, int value) {
            JsonObject tree = named(name);
            tree.addProperty("value", value);
            registry.create(ResourceTable.PRIORITY_CLASSES, "", tree, false);
        }

        private static JsonObject named(String name) {
            return Trees.parse("{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
        }
    }

    /** Writes a kubeconfig with everything inlined. */
    private static final class KubeconfigWriter {

        private KubeconfigWriter() {}

        static String yaml(String url, Optional<String> caPem, String user, String token) {
            String authority = caPem.map(pem -> "    certificate-authority-data: "
                            + Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII)) + "\n")
                    .orElse("");
            return """
                    apiVersion: v1
                    kind: Config
                    clusters:
                    - name: hollow
                      cluster:
                        server: %s
                    %scontexts:
                    - name: hollow
                      context:
                        cluster: hollow
                        user: %s
                    current-context: hollow
                    users:
                    - name: %s
                      user:
                        token: %s
                    """.formatted(url, authority, user, user, token);
        }
    }

    /** Every request passes here: who calls, what for, may they, does something go wrong, and what is the answer. */
    private record Gateway(Tokens tokens, Router router, Faults faults, RequestLog log) implements Answerer {
        private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

        @Override
        public Outcome answer(RawRequest raw) throws IOException, InterruptedException {
            log.begun();
            try {
                Optional<User> user = tokens.userOfHeader(raw.header("Authorization"));
                ApiRequest request = ApiRequest.read(raw, user.orElse(User.ANONYMOUS));
                if (HEALTH.contains(request.path())) {
                    return new Outcome.Answered(ApiReply.text("ok"));
                }
                List<String> segments = RequestPath.segments(request.path());
                Attributes attributes = router.attributes(request, segments);
                delay();
                faults.awaitLetOn(attributes);
                return log.enter(
                        () -> outcome(request, segments, attributes, user.isPresent()),
                        outcome -> new LoggedRequest(
                                raw.protocol(),
                                request.method(),
                                raw.target().toString(),
                                outcome.code(),
                                request.user().name(),
                                attributes));
            } finally {
                log.ended();
            }
        }

        private Outcome outcome(
                ApiRequest request, List<String> segments, Attributes attributes, boolean authenticated) {
            if (!authenticated) {
                return new Outcome.Answered(ApiReply.status(Refusals.unauthorized()));
            }
            Optional<Fault> fault = faults.strike(attributes);
            return fault.isEmpty()
                    ? new Outcome.Answered(reply(request, segments, attributes))
                    : faulty(fault.get(), request, segments, attributes);
        }

        private Outcome faulty(Fault fault, ApiRequest request, List<String> segments, Attributes attributes) {
            return switch (fault) {
                case Fault.Refuse refuse -> new Outcome.Answered(ApiReply.status(refusal(refuse)));
                case Fault.DropRequest _ -> new Outcome.BrokenOff();
                case Fault.DropAnswer _ -> {
                    reply(request, segments, attributes);
                    yield new Outcome.BrokenOff();
                }
                case Fault.BreakConnection _ -> {
                    reply(request, segments, attributes);
                    yield new Outcome.Disconnected();
                }
            };
        }

        private ApiReply reply(ApiRequest request, List<String> segments, Attributes attributes) {
            try {
                return router.route(request, segments, attributes);
            } catch (ApiException e) {
                return ApiReply.status(e);
            } catch (RuntimeException e) {
                return ApiReply.status(Refusals.internal("Internal error occurred: " + e));
            }
        }

        private static ApiException refusal(Fault.Refuse refuse) {
            var details = new com.google.gson.JsonObject();
            if (refuse.retryAfterSeconds() > 0) {
                details.addProperty("retryAfterSeconds", refuse.retryAfterSeconds());
            }
            return switch (refuse.code()) {
                case 409 -> Refusals.refuse(409, "Conflict", "the object has been modified (ordered)", details);
                case 429 ->
                    Refusals.refuse(
                            429, "TooManyRequests", "too many requests, please try again later (ordered)", details);
                case 503 -> Refusals.refuse(503, "ServiceUnavailable", "the server is unavailable (ordered)", details);
                default -> Refusals.refuse(refuse.code(), "InternalError", "an error occurred (ordered)", details);
            };
        }

        private void delay() throws InterruptedException {
            Duration latency = faults.currentLatency();
            if (latency.isPositive()) {
                Thread.sleep(latency);
            }
        }
    }

    private record Router(Resources resources, Reviews reviews, Supplier<Authorizer> authorizer, String release) {
        /** The attributes of the request, for authorization, faults and the log. */
        Attributes attributes(ApiRequest request, List<String> segments) {
            if (isForObjects(segments)) {
                try {
                    RequestPath path = RequestPath.read(segments);
                    String verb = Verb.of(request, path).lowerCase();
                    return new Attributes(
                            verb,
                            path.type().group(),
                            path.type().resource(),
                            path.subresource(),
                            path.namespace(),
                            path.name());
                } catch (ApiException e) {
                    // a path that nothing answers to is about nothing; route() refuses it
                }
            }
            return new Attributes(request.method().toLowerCase(Locale.ROOT), "", "", "", "", request.path());
        }

        ApiReply route(ApiRequest request, List<String> segments, Attributes attributes) {
            request.caller().checkMayActAs(request.user(), authorizer.get());
            if (!isForObjects(segments)) {
                return aboutTheServer(request, segments);
            }
            RequestPath path = RequestPath.read(segments);
            Verb verb = Verb.of(request, path);
            if (!authorizer.get().allows(request.user(), attributes)) {
                throw forbidden(request, path, attributes);
            }
            if (path.type().equals(ResourceTable.RESOURCE_CLAIMS)
                    && attributes.subresource().equals("status")) {
                checkMayBind(request, path, verb, attributes);
            }
            if (path.type().equals(ResourceTable.BINDINGS)) {
                return resources.bindings(request, path, verb);
            }
            return path.type().stored()
                    ? resources.serve(request, path, verb)
                    : reviews.answer(request, path.type(), verb);
        }

        /** From Kubernetes 1.36 on the status alone is not enough. */
        private void checkMayBind(ApiRequest request, RequestPath path, Verb verb, Attributes status) {
            Attributes binding = new Attributes(
                    status.verb(), status.group(), status.resource(), "binding", status.namespace(), status.name());
            if (!authorizer.get().allows(request.user(), binding) && resources.bindsClaim(request, path, verb)) {
                throw forbidden(request, path, binding);
            }
        }

        private static boolean isForObjects(List<String> segments) {
            return !segments.isEmpty()
                    && (segments.getFirst().equals("api") || segments.getFirst().equals("apis"))
                    && !Discovery.serves(segments);
        }

        private ApiReply aboutTheServer(ApiRequest request, List<String> segments) {
            if (!request.method().equals("GET") || segments.isEmpty()) {
                throw Refusals.noSuchPath();
            }
            return switch (segments.getFirst()) {
                case "api", "apis" -> ApiReply.json(200, Discovery.answer(segments));
                case "version" -> ApiReply.json(200, version());
                case "livez", "readyz", "healthz" -> ApiReply.text("ok");
                case "openapi" -> OpenApi.answer(request.path());
                default -> throw Refusals.noSuchPath();
            };
        }

        private static ApiException forbidden(ApiRequest request, RequestPath path, Attributes attributes) {
            String where = path.namespace().isEmpty()
                    ? "at the cluster scope"
                    : "in the namespace \"" + path.namespace() + "\"";
            return Refusals.forbidden(
                    path.type(),
                    path.name(),
                    "User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
                            .formatted(
                                    request.user().name(),
                                    attributes.verb(),
                                    attributes.resourcePath(),
                                    path.type().group(),
                                    where));
        }

        /**
         * Descriptions of the API's fields. There are none, and each client learns it in the way that it gets along with: kubectl
         * explain shows the words of a plain text only, and other commands do without after any failure.
         */
        private static final class OpenApi {
            private static final String V2 = "/openapi/v2";
            private static final String V3 = "/openapi/v3";

            /** A document that describes nothing, which older kubectls accept: they then check nothing themselves. */
            private static final byte[] EMPTY_V2 = {0x0a, 0x03, '2', '.', '0'};

            private static final String V2_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

            private OpenApi() {}

            static ApiReply answer(String path) {
                return switch (path) {
                    case V2 -> ApiReply.of(200, V2_TYPE, EMPTY_V2);
                    case V3 -> ApiReply.json(200, index());
                    default -> ApiReply.text(501, "a hollow cluster has no descriptions of its fields");
                };
            }

            /** Where the documents would be. Without it kubectl explain goes on to the empty one, and blames the kind. */
            private static JsonObject index() {
                JsonObject paths = new JsonObject();
                ResourceTable.ALL.stream()
                        .filter(ResourceType::stored)
                        .map(type -> (type.group().isEmpty() ? "api/" : "apis/") + type.apiVersion())
                        .filter(Predicate.not(paths::has))
                        .forEach(path -> paths.add(path, Trees.of("serverRelativeURL", V3 + "/" + path)));
                return Trees.of("paths", paths);
            }
        }

        private JsonObject version() {
            String[] parts = release.split("\\.", -1);
            return Trees.of(
                    "major",
                    parts[0],
                    "minor",
                    parts[1],
                    "emulationMajor",
                    parts[0],
                    "emulationMinor",
                    parts[1],
                    "minCompatibilityMajor",
                    parts[0],
                    "minCompatibilityMinor",
                    Integer.toString(Integer.parseInt(parts[1]) - 1),
                    "gitVersion",
                    "v" + release + ".0+hollow",
                    "gitCommit",
                    "",
                    "gitTreeState",
                    "",
                    "buildDate",
                    "1970-01-01T00:00:00Z",
                    "goVersion",
                    "",
                    "compiler",
                    "",
                    "platform",
                    "linux/amd64");
        }
    }
}
