package io.evenkeel.app.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigTest {
    @TempDir
    Path folder;

    @Test
    void aMissingFileIsNamed() {
        assertFails(options(folder.resolve("none")), "kubeconfig " + folder.resolve("none") + " does not exist");
    }

    @Test
    void withoutAnyConfigurationItSaysWhatToDo() {
        ConnectionOptions nothing = new ConnectionOptions(
                Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), ConnectionLimits.DEFAULT);

        assertFails(nothing, "no kubeconfig, and this is no pod with a service account");
    }

    @Test
    void anUnknownContextIsAnsweredWithThoseThatThereAre() throws IOException {
        Path file = write("server: 'https://10.0.0.1'", "");

        assertFails(options(file).withContext("there"), "no context \"there\"; its contexts are here, other");
    }

    @Test
    void rubbishIsNoKubeconfig() throws IOException {
        Path file = Files.writeString(folder.resolve("config"), "a: [b");
        assertFails(options(file), "cannot be read");
        Files.writeString(file, "contexts: 3\ncurrent-context: x");
        assertFails(options(file), "kubeconfig");
        Files.writeString(file, "");
        assertFails(options(file), "kubeconfig");
    }

    @Test
    void aBadCertificateIsToldBeforeTheFirstRequest() throws IOException {
        assertFails(
                options(write("server: 'https://10.0.0.1', certificate-authority-data: bm9uc2Vuc2U=", "token: x")),
                "a certificate or key for https://10.0.0.1 cannot be used");
        assertFails(
                options(write("server: 'https://10.0.0.1', certificate-authority: missing.crt", "token: x")),
                "cannot read certificate-authority");
        assertFails(
                options(write("server: 'https://10.0.0.1'", "client-certificate-data: bm9uc2Vuc2U=")),
                "only good together");
    }

    @Test
    void anExecPluginThatIsMissingOrFailsIsNamed() throws IOException {
        assertFails(
                options(write("server: 'https://10.0.0.1'", "exec: {command: no-such-plugin, installHint: 'get it'}")),
                "exec plugin no-such-plugin cannot be started: is it installed? get it");
        assertFails(
                options(write("server: 'https://10.0.0.1'", "exec: {command: 'false'}")),
                "exec plugin false failed with exit code 1");
        assertFails(
                options(write("server: 'https://10.0.0.1'", "exec: {command: echo, args: [hello]}")),
                "exec plugin echo did not give an ExecCredential");
    }

    @Test
    void theMasterReplacesTheServer() throws IOException {
        ConnectionOptions options = options(write("server: 'https://10.0.0.1'", "token: x"));

        try (ClientJavaTransport transport =
                ClientJavaTransport.open(options.withMaster("https://10.0.0.2:6443"), "0", ApiObserver.NONE)) {
            assertThat(transport.host()).isEqualTo("10.0.0.2:6443");
        }
        assertFails(options.withMaster("https://no server"), "is not the address of a server");
    }

    private static void assertFails(ConnectionOptions options, String message) {
        assertThatThrownBy(() -> ClientJavaTransport.open(options, "0", ApiObserver.NONE))
                .isInstanceOf(ClientConfigurationException.class)
                .hasMessageContaining(message)
                .satisfies(failure -> assertThat(failure.getMessage().lines()).hasSize(1));
    }

    private Path write(String cluster, String user) throws IOException {
        return Files.writeString(folder.resolve("config"), """
                current-context: here
                clusters: [{name: c, cluster: {%s}}]
                contexts:
                - {name: here, context: {cluster: c, user: u}}
                - {name: other, context: {cluster: c, user: u}}
                users: [{name: u, user: {%s}}]
                """.formatted(cluster, user));
    }

    private static ConnectionOptions options(Path kubeconfig) {
        return new ConnectionOptions(
                Optional.of(kubeconfig),
                Optional.empty(),
                Optional.empty(),
                Map.of("PATH", System.getenv().getOrDefault("PATH", "/bin")),
                ConnectionLimits.DEFAULT);
    }
}
