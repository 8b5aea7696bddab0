package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.evenkeel.app.cli.Typed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flags that make no record possible are refused before anything else begins: no cluster is asked for here. */
class RecordFlagsTest {
    @TempDir
    private Path files;

    @Test
    void aDirectoryThatIsAFileIsRefused() throws IOException {
        Path file = Files.createFile(files.resolve("afile"));

        assertRefused("--record: " + file + " is no directory", "--record=" + file);
        assertRefused("--record: " + file + " is no directory", "--record=" + file.resolve("below"));
    }

    @Test
    void aDirectoryThatCannotBeMadeIsRefused() {
        assumeThat(Path.of("/proc/self")).exists();

        assertRefused("--record: /proc/x cannot be made: no directory can be made there", "--record=/proc/x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "16777215", "1e30", "2Ei", "9223372036854775807"})
    void aLimitOutOfRangeIsRefusedAsItWasGiven(String limit) {
        assertRefused(
                "--record-limit must be from 16Mi to 1Ei, got " + limit,
                "--record=" + files.resolve("r"),
                "--record-limit=" + limit);
        assertThat(files.resolve("r")).doesNotExist();
    }

    @Test
    void aLimitOfNothingIsRefused() {
        assertRefused("--record-limit goes with --record", "--record-limit=1Gi");
    }

    /** The next mistake is found then. */
    @Test
    void aDirectoryThatCanBeMadeIsMade() {
        Typed typed = Typed.evenkeel(
                "run",
                "--kubeconfig=" + files.resolve("absent"),
                "--record=" + files.resolve("a/b"),
                "--record-limit=1Ei");

        assertThat(typed.exitCode()).isEqualTo(1);
        assertThat(typed.err()).contains(files.resolve("absent") + " does not exist");
        assertThat(files.resolve("a/b")).isDirectory();
    }

    private void assertRefused(String reason, String... flags) {
        String[] all = new String[flags.length + 2];
        System.arraycopy(flags, 0, all, 2, flags.length);
        all[0] = "run";
        all[1] = "--kubeconfig=" + files.resolve("absent");
        Typed typed = Typed.evenkeel(all);
        assertThat(typed.err()).isEqualTo("evenkeel: " + reason + "; see 'evenkeel run --help'\n");
        assertThat(typed.exitCode()).isEqualTo(2);
    }
}
