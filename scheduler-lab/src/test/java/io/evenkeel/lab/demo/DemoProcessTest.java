package io.evenkeel.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.lab.demo.Stage.ApiUser;
import io.evenkeel.lab.demo.Stage.WatchedCluster;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.testing.Java;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own: how it stays, and how signals end it. */
@Rotated(3)
class DemoProcessTest {
    private static final String KUBECONFIG = "export KUBECONFIG=";
    private static final int TERMINATED = 143;

    @TempDir
    private Path temporaryFiles;

    @TempDir
    private Path errors;

    private Process demo;
    private BufferedReader out;

    @AfterEach
    void end() {
        demo.destroyForcibly();
    }

    @Rotated(3)
    @Test
    void itStaysToBeTriedByHandUntilASignalEndsItAndLeavesNothingBehind() throws Exception {
        start();
        String stories = readUntil(KUBECONFIG);
        assertThat(stories).contains("✓ 15 of 15 stories").doesNotContain("\u001b");
        Path kubeconfig = Path.of(stories.substring(stories.lastIndexOf(KUBECONFIG) + KUBECONFIG.length())
                .strip());
        assertThat(kubeconfig).startsWith(temporaryFiles);

        assertThat(podByHandGetsANode(kubeconfig)).isTrue();
        demo.toHandle().destroy(); // Process.destroy would close its output

        assertThat(readUntil("Stopped.")).contains("kubectl apply -f " + temporaryFiles);
        assertThat(demo.waitFor()).isZero();
        assertNoTrouble();
    }

    @Test
    void aSignalDuringTheStoriesLeavesNothingBehind() throws Exception {
        start();
        readUntil("━━ 1 ·");
        demo.toHandle().destroy();

        assertThat(demo.waitFor()).isEqualTo(TERMINATED);
        assertNoTrouble();
    }

    private static boolean podByHandGetsANode(Path kubeconfig) throws InterruptedException {
        ConnectionOptions connection = ConnectionOptions.of(Optional.of(kubeconfig));
        try (HttpTransport transport = HttpTransport.open(connection, "test", ApiObserver.NONE);
                WatchedCluster view = new WatchedCluster(transport)) {
            Manifest pod = Manifest.pod("hand-1", "schedulerName: evenkeel\n");
            new ApiUser(transport).create("default", pod.yaml());
            return view.await("default", cluster -> cluster.hasPlaced(1), Duration.ofMinutes(10), _ -> {})
                    .isPresent();
        }
    }

    private void start() throws IOException {
        demo = new ProcessBuilder(Java.command(
                        "-Djava.io.tmpdir=" + temporaryFiles,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.evenkeel.app.cli.Evenkeel",
                        "demo"))
                .redirectError(errors.resolve("err").toFile())
                .start();
        out = demo.inputReader(StandardCharsets.UTF_8);
    }

    private String readUntil(String wanted) throws IOException {
        StringBuilder read = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            read.append(line).append('\n');
            if (line.contains(wanted)) {
                return read.toString();
            }
        }
        throw new AssertionError("no \"" + wanted + "\" in:\n" + read);
    }

    private void assertNoTrouble() throws IOException {
        assertThat(Files.readString(errors.resolve("err"))).doesNotContain("Exception", "WARN", "ERROR", "\tat ");
        assertThat(temporaryFiles).isEmptyDirectory();
    }
}
