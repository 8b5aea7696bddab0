package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.file.SecretFile;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.model.json.Trees;
import io.evenkeel.tls.SelfSignedCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.net.ssl.SSLContext;

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
    private final ApiServer server;
    private final Optional<SelfSignedCertificate> certificate;
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
        Optional<SSLContext> tls = certificate.map(SelfSignedCertificate::sslContext);
        server = new ApiServer(
                registry,
                new ObjectWriter(
                        List.of(new JsonEncoding(), new TableEncoding(options.clock()), new ProtobufEncoding())),
                tokens,
                () -> authorizer,
                faults,
                requestLog,
                new ApiServer.Settings(options.port(), tls, options.bookmarkInterval(), options.watchList()));
    }

    /** Starts a cluster with the default options. */
    public static HollowCluster start() {
        return start(HollowOptions.DEFAULT);
    }

    public static HollowCluster start(HollowOptions options) {
        HollowCluster cluster = new HollowCluster(options);
        cluster.server.start();
        return cluster;
    }

    public String url() {
        return server.url();
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

    /** The bearer token of the administrator. */
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

    /** Ends all watches now. */
    public void closeWatches() {
        server.closeWatches();
    }

    public int openWatches() {
        return server.openWatches();
    }

    /** Breaks all connections and refuses new ones until {@link #restartServer()}. */
    public void stopServer() {
        server.stop();
    }

    /** Serves again, on the same port and with the same objects. */
    public void restartServer() {
        server.stop();
        server.start();
    }

    @Override
    public void close() {
        server.close();
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
}
