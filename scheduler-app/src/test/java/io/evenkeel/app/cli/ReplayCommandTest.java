package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayCommandTest {
    private static final String BEFORE = "{\"name\":\"before\",\"steps\":[]}";
    private static final String AFTER = "{\"name\":\"after\",\"steps\":[]}";

    @TempDir
    private Path directory;

    private record Outcome(int exitCode, List<String> out, List<String> err) {}

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[{}]|expected a scenario, an object, but the line starts with [{}]",
                "{\"name\": }|column 10: Unexpected character ('}' (code 125)): expected a value",
                "{\"name\": \"a\"|column 13: Unexpected end-of-input: expected close marker for Object",
                "{\"name\": 5}|name: expected a string, got 5",
                "{\"name\": {\"pods\": []}}|name: expected a string, got an object",
                "{\"pods\": \"x\"}|pods: expected a list, got \"x\"",
                "{\"objects\": {}}|objects: expected a list, got an object",
                "{\"pods\": [5]}|pods[0]: expected an object, got 5",
                "{\"pods\": [{\"metadata\": {\"name\": \"a\"}}, {\"metadata\": {\"name\": 7}}]}|pods[1]: Pod: metadata.name:"
                        + " expected a string, got 7",
                "{\"config\": 5}|config:1:1: expected a mapping, got 5",
                "{\"pods\": [{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"schedulerName\": \"other\"}}]}|pod default/a:"
                        + " spec.schedulerName: no profile is named \"other\"",
            })
    void aLineThatMakesNoSenseIsReportedAndTheOthersAreAnswered(String line, String message) throws IOException {
        Path file = Files.writeString(
                directory.resolve("scenarios.jsonl"), "{\"name\":\"before\"}\n" + line + "\n{\"name\":\"after\"}\n");

        assertThat(replay(file))
                .isEqualTo(new Outcome(1, List.of(BEFORE, AFTER), List.of("evenkeel: " + file + ":2: " + message)));
    }

    @Test
    void aLineThatIsNoTextSpoilsNoOther() throws IOException {
        Path file = Files.write(
                directory.resolve("scenarios.jsonl"),
                "{\"name\":\"before\"}\n{\"name\":\"\u00ff\"}\n{\"name\":\"after\"}"
                        .getBytes(StandardCharsets.ISO_8859_1));

        assertThat(replay(file))
                .isEqualTo(new Outcome(1, List.of(BEFORE, AFTER), List.of("evenkeel: " + file + ":2: not UTF-8")));
    }

    @Test
    void namesMayHaveAnyLetters() throws IOException {
        Path file = Files.writeString(directory.resolve("scenarios.jsonl"), "{\"name\":\"größer ≥ 漢\"}");

        assertThat(replay(file))
                .isEqualTo(new Outcome(0, List.of("{\"name\":\"größer ≥ 漢\",\"steps\":[]}"), List.of()));
    }

    @Test
    void whatElseStandsThereIsPassedOver() throws IOException {
        Path file = Files.writeString(
                directory.resolve("scenarios.jsonl"),
                "{\"name\":\"before\",\"preempt\":true,\"expected\":[{\"node\":\"n1\"}]}");

        assertThat(replay(file)).isEqualTo(new Outcome(0, List.of(BEFORE), List.of()));
    }

    @Test
    void aFileThatCannotBeReadIsOneLine() throws IOException {
        Path absent = directory.resolve("absent.jsonl");
        Path unpacked = Files.writeString(directory.resolve("unpacked.jsonl.gz"), "{}");

        assertThat(replay(absent))
                .isEqualTo(new Outcome(1, List.of(), List.of("evenkeel: " + absent + " does not exist")));
        assertThat(replay(directory))
                .isEqualTo(new Outcome(1, List.of(), List.of("evenkeel: " + directory + " is a directory")));
        assertThat(replay(unpacked))
                .isEqualTo(new Outcome(
                        1, List.of(), List.of("evenkeel: " + unpacked + " cannot be read: Not in GZIP format")));
    }

    private static Outcome replay(Path file) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Evenkeel.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err, true))
                .execute("replay", file.toString());
        return new Outcome(
                exitCode,
                out.toString().lines().toList(),
                err.toString().lines().toList());
    }
}
