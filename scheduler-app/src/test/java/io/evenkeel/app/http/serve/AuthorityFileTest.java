package io.evenkeel.app.http.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.http.serve.AuthenticationOptions.RequestHeaderOptions.AuthorityFile;
import io.evenkeel.file.ReloadedFiles;
import io.evenkeel.testing.LogLines;
import io.evenkeel.tls.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthorityFileTest {
    private static final TestAuthority OLD = TestAuthority.named("old");
    private static final TestAuthority NEW = TestAuthority.named("new");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

    @TempDir
    private Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("ca.crt"), OLD.pem());
    }

    @Test
    void aFileThatChangesIsReadAnewAfterAWhile() throws IOException {
        AuthorityFile authorities = new AuthorityFile(file, now::get);
        Files.writeString(file, NEW.pem() + OLD.pem());
        assertThat(authorities.get()).isEqualTo(OLD.authorities());

        now.set(Instant.EPOCH.plus(ReloadedFiles.LOOK_EVERY));

        assertThat(authorities.get().certificates()).containsExactly(NEW.certificate(), OLD.certificate());
    }

    @Test
    void whileItIsOfNoUseTheLastIsKept() throws IOException {
        AuthorityFile authorities = new AuthorityFile(file, now::get);
        try (LogLines log = new LogLines(AuthorityFile.class)) {
            Files.writeString(file, "-----BEGIN CERT");
            now.set(Instant.EPOCH.plus(ReloadedFiles.LOOK_EVERY));
            assertThat(authorities.get()).isEqualTo(OLD.authorities());
            now.set(now.get().plus(ReloadedFiles.LOOK_EVERY));
            assertThat(authorities.get()).isEqualTo(OLD.authorities());

            Files.writeString(file, NEW.pem());
            now.set(now.get().plus(ReloadedFiles.LOOK_EVERY));
            assertThat(authorities.get()).isEqualTo(NEW.authorities());

            assertThat(log.lines())
                    .containsExactly(
                            "WARN Client CAs not reloaded, keeping the last ones [why=\"cannot use " + file
                                    + ": there is no certificate in PEM\"]",
                            "DEBUG Client CAs not reloaded, keeping the last ones [why=\"cannot use " + file
                                    + ": there is no certificate in PEM\"]",
                            "INFO Client CAs reloaded [file=\"" + file + "\", names=\"[CN=new]\"]");
        }
    }

    @Test
    void atTheStartItHasToBeGood() throws IOException {
        assertThatThrownBy(() -> new AuthorityFile(folder.resolve("none"), now::get))
                .isInstanceOf(IOException.class)
                .hasMessage(folder.resolve("none") + " does not exist");

        Files.writeString(file, "garbage");
        assertThatThrownBy(() -> new AuthorityFile(file, now::get))
                .hasMessage("cannot use " + file + ": there is no certificate in PEM");
    }
}
