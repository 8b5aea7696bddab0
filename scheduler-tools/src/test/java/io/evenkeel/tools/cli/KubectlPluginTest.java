package io.evenkeel.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code kubectl-why}, beside a launcher that only says how it was called. */
@DisabledOnOs(OS.WINDOWS)
class KubectlPluginTest {
    private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

    @TempDir
    private Path folder;

    @Test
    void callsTheLauncherFromWhereverItIsLinked() throws Exception {
        Path checkout = Files.createDirectories(folder.resolve("checkout"));
        Files.copy(REPOSITORY.resolve("kubectl-why"), checkout.resolve("kubectl-why"));
        Files.writeString(checkout.resolve("evenkeel"), "#!/bin/sh\necho \"$0 $*\"\n");
        assertThat(checkout.resolve("evenkeel").toFile().setExecutable(true)).isTrue();
        assertThat(checkout.resolve("kubectl-why").toFile().setExecutable(true)).isTrue();
        Path link = Files.createSymbolicLink(
                Files.createDirectories(folder.resolve("bin")).resolve("kubectl-why"),
                Path.of("../checkout/kubectl-why"));

        Process kubectl = new ProcessBuilder(link.toString(), "web-6", "-n", "shop")
                .redirectErrorStream(true)
                .start();
        String said = new String(kubectl.getInputStream().readAllBytes(), UTF_8);

        assertThat(kubectl.waitFor(600, TimeUnit.SECONDS)).isTrue();
        assertThat(said).endsWith("/checkout/evenkeel why web-6 -n shop\n");
    }
}
