package io.evenkeel.kube.extender;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.config.Extender;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.client.TestIdentity;
import io.evenkeel.kube.extender.Extenders.ExtenderException;
import io.evenkeel.kube.extender.Extenders.ExtenderObserver;
import io.evenkeel.kube.extender.HttpExtender.ExtenderAnswers;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.tls.PemIdentity;
import io.evenkeel.tls.SelfSignedCertificate;
import io.evenkeel.tls.TrustsAnybody;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trusted authorities and client certificates in connections to extenders. */
class ExtenderTlsTest {
    private static final TestIdentity SERVER = TestIdentity.of("extender", "EC");
    private static final TestIdentity OTHER = TestIdentity.of("other", "EC");

    @TempDir
    Path folder;

    private Instant now = Instant.EPOCH;
    private final InstantSource clock = () -> now;
    private ExtenderServer server;

    @BeforeEach
    void serve() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                PemIdentity.parse(
                                SERVER.certificate().getBytes(UTF_8),
                                SERVER.key().getBytes(UTF_8))
                        .keyManagers(),
                null,
                new SecureRandom());
        server = ExtenderServer.startTls(context).answers("bind", "{}");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static Extender.Tls trusting(String caFile) {
        return new Extender.Tls(false, "", "", "", caFile, "", "", "");
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private ExtenderClient client(boolean enableHttps, Extender.Tls tls) {
        return new ExtenderClient(
                new Extender(
                        server.url(),
                        "",
                        "",
                        "",
                        0,
                        "bind",
                        enableHttps,
                        Optional.of(tls),
                        Duration.ofSeconds(20),
                        true,
                        List.of(),
                        false),
                ExtenderObserver.NONE,
                new Clocks(() -> 0, clock, new Random(1)),
                List.of());
    }

    private static void bind(ExtenderClient client) throws ExtenderException {
        assertThat(client.tell("bind", "{}", ExtenderAnswers::bindingError)).isEmpty();
    }

    @Test
    void theAuthorityOfAFileIsTrusted() throws IOException {
        ExtenderClient client =
                client(true, trusting(file("ca", SERVER.certificate()).toString()));

        assertThatCode(() -> bind(client)).doesNotThrowAnyException();
    }

    @Test
    void noOtherIs() throws IOException {
        ExtenderClient client =
                client(true, trusting(file("ca", OTHER.certificate()).toString()));

        assertThatThrownBy(() -> bind(client)).isInstanceOf(ExtenderException.class);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void theDataGoesBeforeTheFile() {
        String data =
                Base64.getMimeEncoder().encodeToString(SERVER.certificate().getBytes(UTF_8));
        ExtenderClient client = client(true, new Extender.Tls(false, "", "", "", "/nowhere", "", "", data));

        assertThatCode(() -> bind(client)).doesNotThrowAnyException();
    }

    @Test
    void aFileThatChangesIsReadAgain() throws IOException {
        Path authority = file("ca", OTHER.certificate());
        ExtenderClient client = client(true, trusting(authority.toString()));
        assertThatThrownBy(() -> bind(client)).isInstanceOf(ExtenderException.class);

        Files.writeString(authority, SERVER.certificate());
        now = now.plusSeconds(10);

        assertThatCode(() -> bind(client)).doesNotThrowAnyException();
    }

    /** As kube-scheduler has it. */
    @Test
    void httpsWithoutAnAuthorityIsNotVerified() {
        Extender.Tls nothing = trusting("");

        assertThatCode(() -> bind(client(true, nothing))).doesNotThrowAnyException();
        assertThatThrownBy(() -> bind(client(false, nothing))).isInstanceOf(ExtenderException.class);
    }

    @Test
    void insecureMeansNotVerified() {
        assertThatCode(() -> bind(client(false, new Extender.Tls(true, "", "", "", "", "", "", ""))))
                .doesNotThrowAnyException();
    }

    @Test
    void theServersNameMayBeAnotherThanItsAddress() throws IOException, GeneralSecurityException {
        SelfSignedCertificate named = SelfSignedCertificate.forHosts(List.of("gpu.example.com"), Duration.ofDays(1));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(named.keyManagers(), null, new SecureRandom());
        server.close();
        server = ExtenderServer.startTls(context).answers("bind", "{}");
        String ca = file("ca", named.pem()).toString();

        assertThatThrownBy(() -> bind(client(true, trusting(ca)))).isInstanceOf(ExtenderException.class);
        assertThatCode(() -> bind(client(true, new Extender.Tls(false, "gpu.example.com", "", "", ca, "", "", ""))))
                .doesNotThrowAnyException();
    }

    @Test
    void aClientCertificateIsShown() throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                PemIdentity.parse(
                                SERVER.certificate().getBytes(UTF_8),
                                SERVER.key().getBytes(UTF_8))
                        .keyManagers(),
                new TrustManager[] {new TrustsAnybody()},
                new SecureRandom());
        server.close();
        server = ExtenderServer.startTlsForKnownClients(context).answers("bind", "{}");
        String ca = file("ca", SERVER.certificate()).toString();
        String certificate = file("crt", OTHER.certificate()).toString();
        String key = file("key", OTHER.key()).toString();

        assertThatThrownBy(() -> bind(client(true, trusting(ca)))).isInstanceOf(ExtenderException.class);
        assertThatCode(() -> bind(client(true, new Extender.Tls(false, "", certificate, key, ca, "", "", ""))))
                .doesNotThrowAnyException();
    }

    @Test
    void whatCannotBeUsedIsRefusedAtTheStart() throws IOException {
        assertRefused(trusting("/nowhere"), "/nowhere does not exist");
        String nonsense = file("ca", "nonsense").toString();
        assertRefused(
                trusting(nonsense),
                "cannot use the TLS files of extender " + server.url() + ": there is no certificate in PEM");
        assertRefused(
                new Extender.Tls(true, "", "", "", nonsense, "", "", ""),
                "insecure and a certificate authority exclude each other");
        assertRefused(
                new Extender.Tls(false, "", nonsense, "", "", "", "", ""),
                "a client certificate needs its key, and a key its certificate");
    }

    private void assertRefused(Extender.Tls tls, String why) {
        assertThatThrownBy(() -> client(true, tls))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("extender " + server.url() + ": tlsConfig: " + why);
    }
}
