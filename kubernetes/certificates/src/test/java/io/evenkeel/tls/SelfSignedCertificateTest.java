package io.evenkeel.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelfSignedCertificateTest {

    @Test
    void namesTheHostsAndAddressesGiven() throws Exception {
        var certificate = SelfSignedCertificate.forHosts(
                List.of("evenkeel.kube-system.svc", "127.0.0.1", "::1"), Duration.ofDays(1));

        assertThat(certificate.certificate().getSubjectAlternativeNames())
                .extracting(List::toString)
                .containsExactly("[2, evenkeel.kube-system.svc]", "[7, 127.0.0.1]", "[7, 0:0:0:0:0:0:0:1]");
    }

    @Test
    void pemReadsBackAsTheSameCertificate() throws Exception {
        var certificate = SelfSignedCertificate.forHosts(List.of("localhost"), Duration.ofDays(1));
        var bytes = new ByteArrayInputStream(certificate.pem().getBytes(StandardCharsets.US_ASCII));

        assertThat(CertificateFactory.getInstance("X.509").generateCertificate(bytes))
                .isEqualTo(certificate.certificate());
    }

    @Test
    void aClientThatTrustsItTalksToAServerThatShowsIt() throws Exception {
        var certificate = SelfSignedCertificate.forHosts(List.of("localhost", "127.0.0.1"), Duration.ofDays(1));
        var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificate.sslContext()));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try (var client =
                HttpClient.newBuilder().sslContext(certificate.sslContext()).build()) {
            var uri = URI.create("https://127.0.0.1:" + server.getAddress().getPort() + "/");
            var response = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());

            assertThat(response.statusCode()).isEqualTo(204);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void refusesToNameNobody() {
        assertThatThrownBy(() -> SelfSignedCertificate.forHosts(List.of(), Duration.ofDays(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("localhost");
    }
}
