package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.AccessControl;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.ServingException;
import io.evenkeel.app.http.auth.Authentication;
import io.evenkeel.app.http.auth.AuthenticationOptions;
import io.evenkeel.app.http.auth.AuthorizationOptions;
import io.evenkeel.app.option.IpAddress;
import io.evenkeel.app.option.WholeNumber;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Supervisor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a command that serves, by the names that kube-scheduler gave them. */
@Command(optionListHeading = "Serving")
public final class ServingOptions {
    private static final Logger log = LoggerFactory.getLogger(ServingOptions.class);

    @Option(
            names = "--secure-port",
            paramLabel = "PORT",
            converter = WholeNumber.Port.class,
            description =
                    "Port for HTTPS with authentication and authorization, 0 for none (default: ${DEFAULT-VALUE})")
    private int securePort = 10_259;

    @Option(
            names = "--bind-address",
            paramLabel = "ADDRESS",
            converter = IpAddress.class,
            description = "Address for --secure-port (default: ${DEFAULT-VALUE}, all)")
    private String bindAddress = "0.0.0.0";

    @Option(
            names = "--insecure-port",
            paramLabel = "PORT",
            converter = WholeNumber.Port.class,
            description = "Port for plain HTTP without authentication, for development, 0 for none (default:"
                    + " ${DEFAULT-VALUE})")
    private int insecurePort;

    @Option(
            names = "--insecure-bind-address",
            paramLabel = "ADDRESS",
            converter = IpAddress.class,
            description = "Address for --insecure-port (default: ${DEFAULT-VALUE})")
    private String insecureBindAddress = "127.0.0.1";

    @Mixin
    private CertificateOptions certificate = new CertificateOptions();

    @Mixin
    private TlsOptions tlsOptions = new TlsOptions();

    @Mixin
    private AuthenticationOptions authentication = new AuthenticationOptions();

    @Mixin
    private AuthorizationOptions authorization = new AuthorizationOptions();

    /** The file that says how to reach the server that knows clients; empty means the scheduler's own way. */
    public Optional<Path> authenticationKubeconfig() {
        return authentication.kubeconfig();
    }

    /** The file that says how to reach the server that reviews access; empty means the scheduler's own way. */
    public Optional<Path> authorizationKubeconfig() {
        return authorization.kubeconfig();
    }

    /**
     * Begins to serve.
     *
     * @param reviewer reviews tokens and knows which certificates the cluster trusts; without it, only the flags' ones
     *     are known
     * @param accessReviewer reviews access; without it clients may read {@code --authorization-always-allow-paths} alone
     * @param supervisor is told where a thread of the servers dies
     * @throws ServingException if a port is in use, or a certificate cannot be read
     */
    public Serving start(
            Routes routes,
            Optional<ApiTransport> reviewer,
            Optional<ApiTransport> accessReviewer,
            Supervisor supervisor) {
        List<EndpointServer> servers = new ArrayList<>();
        Optional<Authentication> clients = Optional.empty();
        try {
            if (securePort > 0) {
                tlsOptions.warnOfLeftOut();
                KeyManager[] keys = certificate.keyManagers();
                Authentication known = authentication.open(reviewer, InstantSource.system(), supervisor);
                clients = Optional.of(known);
                ServerTls tls = ServerTls.of(keys, tlsOptions, known.trust());
                AccessControl access =
                        authorization.access(known.identification(), accessReviewer, InstantSource.system());
                servers.add(listen(
                        "--secure-port",
                        new InetSocketAddress(bindAddress, securePort),
                        address -> EndpointServer.secure(address, tls, routes, access, supervisor)));
                report("Serving HTTPS", bindAddress, servers.getLast());
            }
            if (insecurePort > 0) {
                servers.add(listen(
                        "--insecure-port",
                        new InetSocketAddress(insecureBindAddress, insecurePort),
                        address -> EndpointServer.plain(address, routes, AccessControl.OPEN_TO_ALL, supervisor)));
                report("Serving HTTP without authentication", insecureBindAddress, servers.getLast());
            }
        } catch (RuntimeException e) {
            new Serving(servers, clients).close();
            throw e;
        }
        return new Serving(servers, clients);
    }

    private interface Listening {
        EndpointServer on(InetSocketAddress address) throws IOException;
    }

    private static EndpointServer listen(String option, InetSocketAddress address, Listening listening) {
        try {
            return listening.on(address);
        } catch (IOException e) {
            String where = address.getHostString() + ":" + address.getPort();
            throw new ServingException(option, "cannot listen on " + where + ": " + e.getMessage());
        }
    }

    private static void report(String message, String address, EndpointServer server) {
        log.atInfo()
                .setMessage(message)
                .addKeyValue("address", address + ":" + server.address().getPort())
                .log();
    }
}
