package io.evenkeel.kube.client;

import io.evenkeel.file.FileContent;
import io.evenkeel.kube.client.Credential.CredentialSource;
import io.evenkeel.kube.client.ProxyServer.EnvironmentProxies;
import io.evenkeel.kube.client.RenewedCredential.TokenFile;
import io.evenkeel.tls.PemIdentity;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;

/**
 * Access to the API server: its address, how we know that it is the right one, and how it knows us.
 *
 * @param authority what vouches for the server; empty for the certificates that the JVM trusts
 * @param tlsServerName the name that its certificate must have, where that is not in the address
 * @param namespace the one that is meant where none is named; empty where nothing says so
 */
record ServerAccess(
        String server,
        boolean verified,
        Optional<CredentialFiles<Authority>> authority,
        Optional<String> tlsServerName,
        Optional<ProxyServer> proxy,
        Impersonation impersonation,
        CredentialSource credentials,
        Optional<String> namespace) {

    /** As the options say; where they leave it open, as a program in a cluster or on a desk would expect. */
    public static ServerAccess find(ConnectionOptions options, InstantSource clock) {
        ServerAccess found = locate(options, clock);
        return options.master().map(found::at).orElse(found).through(options.environment());
    }

    private static ServerAccess locate(ConnectionOptions options, InstantSource clock) {
        if (options.kubeconfig().isPresent()) {
            return Kubeconfig.read(options.kubeconfig().get(), options.context(), options.environment(), clock);
        }
        List<Path> listed =
                variable(options, "KUBECONFIG").map(ServerAccess::paths).orElse(List.of());
        if (!listed.isEmpty()) {
            return Kubeconfig.merge(listed, options.context(), options.environment(), clock);
        }
        if (variable(options, InCluster.HOST).isPresent() && Files.exists(InCluster.TOKEN)) {
            return InCluster.access(options.environment(), clock);
        }
        Optional<Path> ofUser = variable(options, "HOME")
                .map(home -> Path.of(home, ".kube", "config"))
                .filter(Files::exists);
        if (ofUser.isPresent()) {
            return Kubeconfig.read(ofUser.get(), options.context(), options.environment(), clock);
        }
        return options.master()
                .map(ServerAccess::anonymous)
                .orElseThrow(() -> new ClientConfigurationException(
                        "no kubeconfig, and this is no pod with a service account: name one with --kubeconfig, set"
                                + " $KUBECONFIG, or give the server's address with --master"));
    }

    private static ServerAccess anonymous(String server) {
        return new ServerAccess(
                server,
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Impersonation.NONE,
                CredentialSource.fixed(Credential.NONE),
                Optional.empty());
    }

    private ServerAccess at(String address) {
        String url = address.contains("://") ? address : "https://" + address;
        return new ServerAccess(url, verified, authority, tlsServerName, proxy, impersonation, credentials, namespace);
    }

    /** A proxy of the environment, unless there is one for this server. */
    private ServerAccess through(Map<String, String> environment) {
        Optional<ProxyServer> found = proxy.or(
                () -> Optional.ofNullable(HttpUrl.parse(server)).flatMap(new EnvironmentProxies(environment)::to));
        return new ServerAccess(
                server, verified, authority, tlsServerName, found, impersonation, credentials, namespace);
    }

    private static Optional<String> variable(ConnectionOptions options, String name) {
        return Optional.ofNullable(options.environment().get(name)).filter(value -> !value.isEmpty());
    }

    private static List<Path> paths(String list) {
        return Arrays.stream(list.split(File.pathSeparator, -1))
                .filter(path -> !path.isEmpty())
                .map(Path::of)
                .toList();
    }

    /** The access that every pod has by its service account. */
    private static final class InCluster {
        static final String HOST = "KUBERNETES_SERVICE_HOST";
        private static final String PORT = "KUBERNETES_SERVICE_PORT";
        private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
        static final Path TOKEN = ACCOUNT.resolve("token");

        private InCluster() {}

        static ServerAccess access(Map<String, String> environment, InstantSource clock) {
            String host = environment.getOrDefault(HOST, "");
            String port = environment.getOrDefault(PORT, "443");
            String address = "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
            return new ServerAccess(
                    address,
                    true,
                    Optional.of(new CredentialFiles<>(authority(), InCluster::authority, clock)),
                    Optional.empty(),
                    Optional.empty(),
                    Impersonation.NONE,
                    new TokenFile(TOKEN, Optional.empty(), clock),
                    namespace());
        }

        private static Optional<String> namespace() {
            try {
                return Optional.of(
                                FileContent.text(ACCOUNT.resolve("namespace")).strip())
                        .filter(name -> !name.isEmpty());
            } catch (IOException unsaid) {
                return Optional.empty();
            }
        }

        private static Authority authority() {
            Path path = ACCOUNT.resolve("ca.crt");
            try {
                return Authority.of(FileContent.bytes(path));
            } catch (IOException | GeneralSecurityException unreadable) {
                throw ClientConfigurationException.because(
                        "cannot read " + path + ", the cluster's certificate authority", unreadable);
            }
        }
    }

    /** Certificates that vouch for the server, as PEM. */
    record Authority(String pem) {

        /** @throws GeneralSecurityException if there is no certificate in it */
        static Authority of(byte[] pem) throws GeneralSecurityException {
            PemIdentity.certificates(pem);
            return new Authority(new String(pem, StandardCharsets.UTF_8));
        }

        public byte[] bytes() {
            return pem.getBytes(StandardCharsets.UTF_8);
        }
    }
}
