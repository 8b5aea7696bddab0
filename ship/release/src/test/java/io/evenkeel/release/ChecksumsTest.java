package io.evenkeel.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By which a user knows that the files are ours. */
final class ChecksumsTest {
    private static final Path ASSEMBLE = Path.of("assemble").toAbsolutePath();

    @TempDir
    Path folder;

    @Test
    void everyFileHasItsChecksum() throws Exception {
        Processes.run(ReleaseFiles.FOLDER, Map.of(), "sha256sum", "--check", "--strict", "SHA256SUMS");

        assertThat(Files.readAllLines(ReleaseFiles.FOLDER.resolve("SHA256SUMS")))
                .map(line -> line.substring(line.indexOf("  ") + 2))
                .containsExactlyInAnyOrderElementsOf(ReleaseFiles.names().stream()
                        .filter(name -> !name.startsWith("SHA256SUMS"))
                        .toList());
    }

    @Test
    void archivesAreTheSameEachTimeAndTheChecksumsAreSignedWhereThereIsAKey() throws Exception {
        assumeThat(Files.isExecutable(Path.of("/usr/bin/gpg"))).as("GnuPG").isTrue();
        // short, as the agent's socket is in it
        Path keys = Files.createTempDirectory(
                "keys", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Map<String, String> environment = Map.of("GNUPGHOME", keys.toString(), "EVENKEEL_SIGNING_KEY", "us@example");
        try {
            run(environment, "gpg", "--batch", "--passphrase", "", "--quick-gen-key", "us@example");
            Path again = folder.resolve("release");
            run(
                    environment,
                    ASSEMBLE.toString(),
                    ReleaseFiles.VERSION,
                    System.getProperty("evenkeel.time"),
                    System.getProperty("evenkeel.architecture"),
                    again.toString());

            assertThat(again.resolve("SHA256SUMS")).hasSameTextualContentAs(ReleaseFiles.FOLDER.resolve("SHA256SUMS"));
            run(
                    environment,
                    "gpg",
                    "--batch",
                    "--verify",
                    again.resolve("SHA256SUMS.asc").toString(),
                    again.resolve("SHA256SUMS").toString());
        } finally {
            run(environment, "gpgconf", "--kill", "all");
            Processes.run(folder, new HashMap<>(), "rm", "-r", keys.toString());
        }
    }

    private void run(Map<String, String> environment, String... command) throws IOException, InterruptedException {
        Processes.run(folder, environment, command);
    }
}
