package io.evenkeel.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.kube.client.ConnectionOptions.ConnectionLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
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
    void aFileWithoutContextsSaysSo() throws IOException {
        Path file = Files.writeString(folder.resolve("config"), "kind: Pod");

        assertFails(options(file), "has no current-context; it has no contexts");
    }

    @Test
    void anAddressThatIsNoneIsNamedByItsField() throws IOException {
        Path file = write("server: 'foo bar'", "");

        assertFails(
                options(file),
                "kubeconfig " + file + ": clusters[c].cluster.server is not the address of a server: expected something"
                        + " like https://10.0.0.1:6443");
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
    void whatIsNoKubeconfigIsNamedInPlainWords() throws IOException {
        Path file = folder.resolve("config");
        assertFails(options(Files.writeString(file, " \n")), "kubeconfig " + file + " is empty");
        assertFails(options(Files.writeString(file, "# nothing\n")), "kubeconfig " + file + " is empty");
        assertFails(
                options(Files.writeString(file, "just text")),
                "kubeconfig cannot be read: " + file + ":1:1: expected a mapping, got \"just text\"");
        assertFails(
                options(Files.write(file, new byte[] {'a', ':', ' ', (byte) 0xff})),
                "kubeconfig " + file + " cannot be read: it is not UTF-8");
        assertFails(options(folder), "kubeconfig " + folder + " cannot be read: Is a directory");
    }

    @Test
    void whatIsNotOfItsKindIsNamed() throws IOException {
        String server = "server: 'https://10.0.0.1'";
        assertFails(options(write(server, "exec: nonsense")), "config: users[u].user.exec must be a mapping");
        assertFails(options(write(server, "exec: {args: [a]}")), "config: users[u].user.exec.command is missing");
        assertFails(
                options(write(server, "exec: {command: echo, args: a}")),
                "config: users[u].user.exec.args must be a list");
        assertFails(
                options(write(server, "exec: {command: echo, env: [{value: a}]}")),
                "config: users[u].user.exec.env[0].name is missing");
        assertFails(
                options(write(server, "token: 123")), "config: users[u].user.token must be a string: put it in quotes");
        assertFails(
                options(write(server, "token: 'a\tb'")), "config: users[u].user.token has a character that no token");
        assertFails(
                options(write(server + ", insecure-skip-tls-verify: maybe", "token: x")),
                "config: clusters[c].cluster.insecure-skip-tls-verify must be true or false");
        assertFails(options(write("tls-server-name: x", "token: x")), "config: clusters[c].cluster.server is missing");
        assertFails(
                options(write(server + ", certificate-authority-data: '%'", "token: x")),
                "config: clusters[c].cluster.certificate-authority-data is no base64");
        assertFails(
                options(write(server + ", certificate-authority: missing.crt", "token: x")),
                "config: cannot read certificate-authority " + folder.resolve("missing.crt") + ": it does not exist");
        assertFails(
                options(write(server, "tokenFile: missing")),
                "config: cannot read the token file " + folder.resolve("missing") + ": it does not exist");
        assertFails(
                options(write(server, "auth-provider: {name: gcp}")),
                "\"gcp\" is no authentication that kube-scheduler has");
    }

    @Test
    void aClusterOrUserThatIsNotThereIsNamed() throws IOException {
        Path file = folder.resolve("config");
        Files.writeString(file, "current-context: x\ncontexts: [{name: x, context: {cluster: c}}]");
        assertFails(options(file), "config: contexts[x].context.cluster names no cluster that there is");
        Files.writeString(file, """
                current-context: x
                clusters: [{name: c, cluster: {server: "https://10.0.0.1"}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """);
        assertFails(options(file), "config: contexts[x].context.user names no user that there is");
    }

    @Test
    void aServerWithoutASchemeSpeaksTlsIfAnythingDoes() throws IOException {
        assertThat(server("server: 'api.example:6443'", "token: x")).isEqualTo("http://api.example:6443");
        assertThat(server("server: 'api.example:6443', insecure-skip-tls-verify: true", "token: x"))
                .isEqualTo("https://api.example:6443");
        assertThat(server(
                        "server: 'api.example:6443'",
                        TestIdentity.of("jane", "EC").fields()))
                .isEqualTo("https://api.example:6443");
        String authority = TestIdentity.base64(TestIdentity.of("ca", "EC").certificate());
        assertThat(server("server: 'localhost', certificate-authority-data: " + authority, "token: x"))
                .isEqualTo("https://localhost");
    }

    private String server(String cluster, String user) throws IOException {
        return ServerAccess.find(options(write(cluster, user)), InstantSource.system())
                .server();
    }

    @Test
    void theMasterReplacesTheServer() throws IOException {
        ConnectionOptions options = options(write("server: 'https://10.0.0.1'", "token: x"));

        try (HttpTransport transport =
                HttpTransport.open(options.withMaster("https://10.0.0.2:6443"), "0", ApiObserver.NONE)) {
            assertThat(transport.host()).isEqualTo("10.0.0.2:6443");
        }
        assertFails(options.withMaster("https://no server"), "is not the address of a server");
    }

    private static void assertFails(ConnectionOptions options, String message) {
        assertThatThrownBy(() -> HttpTransport.open(options, "0", ApiObserver.NONE))
                .isInstanceOf(ClientConfigurationException.class)
                .hasMessageContaining(message)
                .satisfies(failure -> assertThat(failure.getMessage().lines()).hasSize(1))
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("Exception", "java."));
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
