package io.evenkeel.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.client.Credential.Certificate;
import io.evenkeel.kube.client.Credential.CredentialSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client certificate whose files somebody renews, as a kubeconfig names them. */
class WithClientCertificateTest {
    private static final TestIdentity OLD = TestIdentity.of("jane", "EC");
    private static final TestIdentity NEW = TestIdentity.of("jane", "EC");

    @TempDir
    private Path folder;

    private Instant now = Instant.EPOCH;
    private CredentialSource source = CredentialSource.fixed(Credential.NONE);

    @BeforeEach
    void read() throws IOException {
        write(OLD.certificate(), OLD.key());
        Path config = Files.writeString(folder.resolve("config"), """
                clusters: [{name: c, cluster: {server: 'https://10.0.0.1'}}]
                users: [{name: u, user: {client-certificate: tls.crt, client-key: tls.key, token: t}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """);
        source = Kubeconfig.read(config, Optional.empty(), Map.of(), () -> now).credentials();
    }

    @Test
    void renewedFilesAreReadAfterAMinute() throws IOException {
        write(NEW.certificate(), NEW.key());
        assertThat(source.current()).isEqualTo(showing(OLD));

        now = now.plus(Duration.ofMinutes(1));

        assertThat(source.current()).isEqualTo(showing(NEW));
    }

    @Test
    void whileTheyDoNotFitTheLastOnesAreShown() throws IOException {
        write(NEW.certificate(), OLD.key());
        now = now.plus(Duration.ofMinutes(1));
        assertThat(source.current()).isEqualTo(showing(OLD));

        write(NEW.certificate(), NEW.key());
        assertThat(source.current()).as("not read at each request").isEqualTo(showing(OLD));
        now = now.plus(Duration.ofMinutes(1));
        assertThat(source.current()).isEqualTo(showing(NEW));
    }

    @Test
    void aServerThatRefusesTheOldOneIsShownTheNewOneAtOnce() throws IOException {
        Credential old = source.current();
        assertThat(source.reject(old)).as("there is no other").isFalse();

        write(NEW.certificate(), NEW.key());

        assertThat(source.reject(old)).isTrue();
        assertThat(source.current()).isEqualTo(showing(NEW));
    }

    private void write(String certificate, String key) throws IOException {
        Files.writeString(folder.resolve("tls.crt"), certificate);
        Files.writeString(folder.resolve("tls.key"), key);
    }

    private static Credential showing(TestIdentity identity) {
        return Credential.bearer("t").showing(new Certificate(identity.certificate(), identity.key()));
    }
}
