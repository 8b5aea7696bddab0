package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.serve.AuthenticationOptions.Authentication;
import io.evenkeel.app.http.serve.TlsOptions.ServerTls;
import io.evenkeel.app.option.Converters.WholeNumber;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Supervisor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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

    private boolean guardsMore;

    @Mixin
    private CertificateOptions certificate = new CertificateOptions();

    @Mixin
    private TlsOptions tlsOptions = new TlsOptions();

    @Mixin
    private AuthenticationOptions authentication = new AuthenticationOptions();

    @Mixin
    private AuthorizationOptions authorization = new AuthorizationOptions();

    /** Serves plain HTTP on this port too, unless one was named. */
    public void servePlain(int usualPort) {
        if (insecurePort == 0) {
            insecurePort = usualPort;
        }
    }

    /** Makes a guard for ports of others too, even where HTTPS is not served. */
    public void guardMore() {
        guardsMore = true;
    }

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
     * @throws ServingException if a port is in use, or a certificate cannot be read
     */
    public Serving start(
            Routes routes,
            Optional<ApiTransport> reviewer,
            Optional<ApiTransport> accessReviewer,
            Supervisor supervisor) {
        List<EndpointServer> servers = new ArrayList<>();
        Optional<Authentication> clients = Optional.empty();
        Optional<Guard> guard = Optional.empty();
        try {
            if (securePort > 0 || guardsMore) {
                tlsOptions.warnOfLeftOut();
                KeyManager[] keys = certificate.keyManagers();
                Authentication known = authentication.open(reviewer, InstantSource.system(), supervisor);
                clients = Optional.of(known);
                ServerTls tls = ServerTls.of(keys, tlsOptions, known.trust());
                AccessControl access =
                        authorization.access(known.identification(), accessReviewer, InstantSource.system());
                guard = Optional.of(new Guard(bindAddress, tls.context(), tls::applyTo, access));
                if (securePort > 0) {
                    servers.add(listen(
                            "--secure-port",
                            new InetSocketAddress(bindAddress, securePort),
                            address -> EndpointServer.secure(address, tls, routes, access, supervisor)));
                    report("Serving HTTPS", bindAddress, servers.getLast());
                }
            }
            if (insecurePort > 0) {
                servers.add(listen(
                        "--insecure-port",
                        new InetSocketAddress(insecureBindAddress, insecurePort),
                        address -> EndpointServer.plain(address, routes, AccessControl.OPEN_TO_ALL, supervisor)));
                report("Serving HTTP without authentication", insecureBindAddress, servers.getLast());
            }
        } catch (RuntimeException e) {
            new Serving(servers, clients, guard).close();
            throw e;
        }
        return new Serving(servers, clients, guard);
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

    /**
     * How a port is guarded.
     *
     * @param address to listen on
     * @param connection is told of each connection before its handshake
     */
    public record Guard(String address, SSLContext tls, Consumer<SSLParameters> connection, AccessControl access) {}

    /** Running servers, until they are closed. */
    public static final class Serving implements AutoCloseable {
        private final List<EndpointServer> servers;
        private final Optional<Authentication> authentication;
        private final Optional<Guard> guard;

        Serving(List<EndpointServer> servers, Optional<Authentication> authentication, Optional<Guard> guard) {
            this.servers = List.copyOf(servers);
            this.authentication = authentication;
            this.guard = guard;
        }

        /** What guards HTTPS, for ports of others. */
        public Optional<Guard> guard() {
            return guard;
        }

        /** The addresses that are listened on, HTTPS first. */
        public List<InetSocketAddress> addresses() {
            return servers.stream().map(EndpointServer::address).toList();
        }

        @Override
        public void close() {
            servers.forEach(EndpointServer::close);
            authentication.ifPresent(Authentication::close);
        }
    }

    /** An IP address. Host names are refused: what they resolve to may change while the process runs. */
    public static final class IpAddress implements ITypeConverter<String> {
        private static final Pattern FOUR_NUMBERS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

        @Override
        public String convert(String value) {
            try {
                if (!value.contains(":") && !FOUR_NUMBERS.matcher(value).matches()) {
                    throw new IllegalArgumentException("Java would take fewer numbers too");
                }
                var _ = InetAddress.ofLiteral(value);
                return value;
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(
                        "expected an IP address such as 127.0.0.1 or ::1, got \"" + value + "\"");
            }
        }
    }
}
