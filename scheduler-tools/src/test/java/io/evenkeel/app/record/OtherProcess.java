package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.testing.Java;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A replay by the command, in a process whose objects have other hash codes, and whose immutable sets and maps another order: of
 * all that might differ from a process to the next, this is what does.
 */
final class OtherProcess {
    private OtherProcess() {}

    /** The last line that the command says. */
    static String replay(Path directory) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Java.command(
                        "-XX:+UnlockExperimentalVMOptions",
                        "-XX:hashCode=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.evenkeel.app.cli.Evenkeel",
                        "replay",
                        "--record",
                        directory.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().toList().getLast();
    }
}
