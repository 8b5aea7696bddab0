package io.evenkeel.app.http.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.http.Client;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients;
import io.evenkeel.app.http.serve.TlsOptions.ServerTls;
import io.evenkeel.app.http.serve.TlsOptions.TlsVersion;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.testing.Patience;
import io.evenkeel.tls.SelfSignedCertificate;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Probes while somebody, from the same address even, holds more connections than there may be. */
class FloodTest {
    private static final int CONNECTIONS = 750;
    private static final int ROUNDS = 12;
    private static final List<String> PROBES = List.of("/livez", "/readyz", "/healthz");
    private static final SelfSignedCertificate OWN =
            SelfSignedCertificate.forHosts(List.of("localhost"), Duration.ofDays(1));
    /** One for all: those that hold connections resume its session, as TLS 1.2 has it, and need not agree on keys each time. */
    private static final SSLContext CLIENT = OWN.sslContext();

    /** How far those get who hold the connections. */
    private enum Progress {
        NOTHING,
        HALF_A_HANDSHAKE,
        A_WHOLE_HELLO,
        HALF_A_HEADER,
        KEPT
    }

    private final List<Socket> held = new ArrayList<>();
    private EndpointServer server;

    @BeforeEach
    void serve() throws IOException {
        Routes routes = new Routes();
        PROBES.forEach(path -> routes.addHealth(path, List.of()));
        ServerTls tls = ServerTls.of(OWN.keyManagers(), TlsOptions.from(TlsVersion.TLS_1_2), () -> TrustedClients.NONE);
        server = EndpointServer.secure(Client.freePort(), tls, routes, AccessControl.OPEN_TO_ALL, Client.UNHARMED);
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : held) {
            socket.close();
        }
        server.close();
    }

    @Rotated(5)
    @ParameterizedTest
    @EnumSource
    void eachProbeIsAnswered(Progress progress) throws Exception {
        for (int i = 0; i < CONNECTIONS; i++) {
            hold(progress);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (String path : PROBES) {
                assertThat(probe(path)).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\nok");
            }
        }
    }

    private void hold(Progress progress) throws IOException {
        Socket socket = connect();
        held.add(socket);
        switch (progress) {
            case NOTHING -> {}
            case HALF_A_HANDSHAKE -> {
                byte[] hello = clientHello();
                socket.getOutputStream().write(Arrays.copyOf(hello, hello.length / 2));
            }
            case A_WHOLE_HELLO -> socket.getOutputStream().write(clientHello());
            case HALF_A_HEADER -> send(resumed(socket), "GET /livez HTTP/1.1\r\nHost: ");
            case KEPT -> {
                SSLSocket secure = resumed(socket);
                send(secure, "GET /livez HTTP/1.1\r\nHost: h\r\n\r\n");
                assertThat(secure.getInputStream().read()).isEqualTo('H');
            }
        }
    }

    private String probe(String path) throws IOException {
        try (SSLSocket socket = secure(connect())) {
            send(socket, "GET " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Socket connect() throws IOException {
        Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort());
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        // A request would wait 40 ms until the end of the handshake before it is acknowledged.
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static SSLSocket secure(Socket socket) throws IOException {
        return (SSLSocket) CLIENT.getSocketFactory().createSocket(socket, "localhost", 1, true);
    }

    private static SSLSocket resumed(Socket socket) throws IOException {
        SSLSocket secure = secure(socket);
        secure.setEnabledProtocols(new String[] {"TLSv1.2"});
        return secure;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static byte[] clientHello() throws IOException {
        SSLEngine engine = CLIENT.createSSLEngine();
        engine.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        return Arrays.copyOf(hello.array(), hello.position());
    }
}
