package io.evenkeel.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.kube.client.ConnectionOptions.ConnectionLimits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** $KUBECONFIG with several files. */
class KubeconfigMergeTest {
    private static final String CLUSTERS = """
            clusters:
            - {name: a, cluster: {server: "http://first.example"}}
            """;

    @TempDir
    Path folder;

    @Test
    void eachFileMayGiveAPart() throws IOException {
        Path clusters = write("one/config", CLUSTERS);
        Path users = write("two/config", "users: [{name: u, user: {tokenFile: token}}]");
        write("two/token", "from-two");
        Path contexts = write("three/config", "current-context: x\n" + contexts("x", "a"));

        ServerAccess access = find(clusters, users, contexts);

        assertThat(access.server()).isEqualTo("http://first.example");
        assertThat(access.credentials().current()).isEqualTo(Credential.bearer("from-two"));
    }

    @Test
    void theFirstThatNamesSomethingIsRight() throws IOException {
        Path first = write("one/config", CLUSTERS + "current-context: x\n" + contexts("x", "a"));
        Path second = write("two/config", """
                current-context: y
                clusters:
                - {name: a, cluster: {server: "http://second.example", tls-server-name: other}}
                - {name: b, cluster: {server: "http://b.example"}}
                """ + contexts("x", "b") + users("second"));
        Path third = write("three/config", users("third"));

        ServerAccess access = find(first, second, third);

        assertThat(access.server()).isEqualTo("http://first.example");
        assertThat(access.tlsServerName()).isEmpty();
        assertThat(access.credentials().current()).isEqualTo(Credential.bearer("second"));
    }

    @Test
    void filesThatAreNotThereAreSkippedAndOneHasToBe() throws IOException {
        Path all = write("config", CLUSTERS + "current-context: x\n" + contexts("x", "a") + users("t"));

        assertThat(find(write("empty", ""), write("comment", "# later\n"), folder.resolve("none"), all)
                        .server())
                .isEqualTo("http://first.example");
        assertThatThrownBy(() -> find(folder.resolve("none"), folder.resolve("nor")))
                .hasMessage("kubeconfig " + folder.resolve("none") + " does not exist");
    }

    @Test
    void whatIsWrongInOneOfThemIsWrong() throws IOException {
        Path all = write("config", CLUSTERS + "current-context: x\n" + contexts("x", "a") + users("t"));
        Path broken = write("broken", "clusters: 3");

        assertThatThrownBy(() -> find(all, broken)).hasMessage("kubeconfig " + broken + ": clusters must be a list");
        assertThatThrownBy(() -> find(write("other", contexts("z", "a")), write("more", CLUSTERS)))
                .hasMessage("kubeconfig " + folder.resolve("other") + ", " + folder.resolve("more")
                        + " has no current-context; its contexts are z");
    }

    private static String contexts(String name, String cluster) {
        return "contexts: [{name: " + name + ", context: {cluster: " + cluster + ", user: u}}]\n";
    }

    private static String users(String token) {
        return "users: [{name: u, user: {token: " + token + "}}]\n";
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static ServerAccess find(Path... files) {
        String list = Arrays.stream(files).map(String::valueOf).collect(Collectors.joining(File.pathSeparator));
        return ServerAccess.find(
                new ConnectionOptions(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of("KUBECONFIG", list),
                        ConnectionLimits.DEFAULT),
                InstantSource.system());
    }
}
