package io.evenkeel.app.http.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CertificateOptionsTest {

    @Test
    void aCertificateNeedsItsKey() {
        CertificateOptions options = parse("--tls-cert-file=/tls.crt");

        assertThatThrownBy(options::keyManagers)
                .isInstanceOf(ServingException.class)
                .hasMessage("--tls-cert-file: needs the other of --tls-cert-file and --tls-private-key-file");
    }

    @Test
    void aCertificateThatCannotBeReadIsNamed() {
        CertificateOptions options =
                parse("--tls-cert-file=/nowhere/tls.crt", "--tls-private-key-file=/nowhere/tls.key");

        assertThatThrownBy(options::keyManagers)
                .isInstanceOf(ServingException.class)
                .hasMessage("--tls-cert-file: /nowhere/tls.crt does not exist");
    }

    @Test
    void aDirectoryWithoutACertificateIsSaidToBeOne(@TempDir Path directory) {
        try (LogLines log = new LogLines(CertificateOptions.class)) {
            assertThat(parse("--cert-dir=" + directory).keyManagers()).isNotNull();

            assertThat(log.lines())
                    .containsExactly("WARN No certificate in --cert-dir, serving a self-signed one" + " [directory=\""
                            + directory + "\"]");
        }
    }

    @Test
    void aDirectoryWithHalfOfACertificateIsRefused(@TempDir Path directory) throws IOException {
        Path certificate = Files.writeString(directory.resolve("kube-scheduler.crt"), "");
        CertificateOptions options = parse("--cert-dir=" + directory);

        assertThatThrownBy(options::keyManagers)
                .isInstanceOf(ServingException.class)
                .hasMessage("--cert-dir: " + certificate
                        + " found without the other of kube-scheduler.crt and kube-scheduler.key");
    }

    private record Command(@CommandLine.Mixin CertificateOptions options) {}

    private static CertificateOptions parse(String... arguments) {
        CertificateOptions options = new CertificateOptions();
        new CommandLine(new Command(options)).parseArgs(arguments);
        return options;
    }
}
