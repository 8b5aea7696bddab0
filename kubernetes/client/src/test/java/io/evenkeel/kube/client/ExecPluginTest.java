package io.evenkeel.kube.client;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.config.file.GoDuration;
import io.evenkeel.kube.client.Kubeconfig.KubeconfigSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecPluginTest {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    /** Given ever more time until it has a child, as programs begin slowly on a busy machine. */
    @Test
    void whatHangsIsEndedWithItsChildren() throws IOException {
        Path child = folder.resolve("child");
        ExecPlugin plugin = plugin("tail -f /dev/null & echo $! > %1$s.new; mv %1$s.new %1$s; wait".formatted(child));

        for (int seconds = 1; !Files.exists(child); seconds *= 2) {
            Duration limit = Duration.ofSeconds(seconds);
            assertThatThrownBy(() -> plugin.within(limit).run())
                    .isInstanceOf(IOException.class)
                    .hasMessage("exec plugin " + folder.resolve("plugin.sh") + " did not end within "
                            + GoDuration.format(limit));
        }

        long pid = Long.parseLong(Files.readString(child).strip());
        await().until(() -> command(pid).isEmpty());
    }

    @Test
    void whatHasClosedItsOutputStillHasToEnd() throws IOException {
        assertThatThrownBy(() -> plugin("exec tail -f /dev/null > /dev/null")
                        .within(LIMIT)
                        .run())
                .hasMessageContaining("did not end within 1s");
    }

    @Test
    void whatWritesForEverIsStopped() throws IOException {
        assertThatThrownBy(() -> plugin("exec cat /dev/zero").run()).hasMessageContaining("wrote more than");
    }

    @Test
    void aTokenMayHaveAnEnd() throws IOException {
        ExecPlugin plugin =
                plugin("echo '{\"status\": {\"token\": \"t\", \"expirationTimestamp\": \"2030-01-01T00:00:00Z\"}}'");

        RenewedCredential.Expiring made = plugin.run();

        assertThat(made.credential()).isEqualTo(Credential.bearer("t"));
        assertThat(made.expiry()).hasToString("Optional[2030-01-01T00:00:00Z]");
    }

    /** None for a process that has ended, also where nobody has asked yet how it did. */
    private static Optional<String> command(long pid) {
        return ProcessHandle.of(pid).flatMap(process -> process.info().command());
    }

    private ExecPlugin plugin(String script) throws IOException {
        Path program = folder.resolve("plugin.sh");
        Files.writeString(program, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return ExecPlugin.of(
                new KubeconfigSection(folder.resolve("config"), "exec", Map.of("command", program.toString())),
                System.getenv());
    }
}
