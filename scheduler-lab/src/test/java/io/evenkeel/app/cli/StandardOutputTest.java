package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Terminal.StandardOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a command whose result cannot be written. */
class StandardOutputTest {
    @TempDir
    private Path directory;

    private record Outcome(int exitCode, List<String> err) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bench --workload basic --nodes 5 --pods 5 --warm-up-pods 0",
                "bench --workload basic --nodes 5 --pods 5 --warm-up-pods 0 --output json",
                "hollow --nodes 1 --plain-http",
                "demo --once",
                "--help",
                "bench --help",
                "--version",
            })
    void aResultThatCannotBeWrittenIsAFailure(String arguments) {
        assertThat(run("No space left on device", arguments.split(" ", -1)))
                .isEqualTo(new Outcome(1, List.of("evenkeel: standard output: No space left on device")));
    }

    @Test
    void aReplayWithoutARoomForItsResultsIsAFailure() throws IOException {
        assertThat(run("No space left on device", "replay", scenarios(3)))
                .isEqualTo(new Outcome(1, List.of("evenkeel: standard output: No space left on device")));
    }

    /** As with {@code head -1}. */
    @Test
    void whenTheReaderHasHadEnoughNothingIsSaid() throws IOException {
        assertThat(run("Broken pipe", "replay", scenarios(3))).isEqualTo(new Outcome(1, List.of()));
    }

    @Test
    void whatIsWrittenArrives() throws IOException {
        StringWriter out = new StringWriter();

        int exitCode = Evenkeel.commandLine().setOut(new PrintWriter(out)).execute("replay", scenarios(3));

        assertThat(exitCode).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "{\"name\":\"s0\",\"steps\":[]}",
                        "{\"name\":\"s1\",\"steps\":[]}",
                        "{\"name\":\"s2\",\"steps\":[]}");
    }

    private String scenarios(int count) throws IOException {
        return Files.write(
                        directory.resolve("scenarios.jsonl"),
                        Stream.iterate(0, i -> i < count, i -> i + 1)
                                .map(i -> "{\"name\":\"s" + i + "\"}")
                                .toList())
                .toString();
    }

    private static Outcome run(String failure, String... arguments) {
        StringWriter err = new StringWriter();
        int exitCode = Evenkeel.commandLine()
                .setOut(StandardOutput.writer(new Broken(failure)))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Outcome(exitCode, err.toString().lines().toList());
    }

    private static final class Broken extends OutputStream {
        private final String failure;

        Broken(String failure) {
            this.failure = failure;
        }

        @Override
        public void write(int single) throws IOException {
            throw new IOException(failure);
        }
    }
}
