package io.evenkeel.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input in which there is nothing: a line says so, and no answer looks as if there had been something. */
class EmptyInputTest {
    private static final String NODE =
            "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"},\"status\":{\"allocatable\":{\"cpu\":\"4\",\"pods\":\"9\"}}}";

    @TempDir
    private Path folder;

    private Typed simulate(String... change) throws IOException {
        Path cluster = Files.writeString(folder.resolve("cluster.json"), NODE);
        return Typed.evenkeel("simulate", "--dump", cluster.toString(), change[0], change[1]);
    }

    private static void isRefused(Typed typed, int code, String line) {
        assertThat(typed).isEqualTo(new Typed(code, "", line + System.lineSeparator()));
    }

    @Test
    void noNodeIsDrained() throws IOException {
        isRefused(simulate("--drain", ""), 2, "evenkeel: --drain names no node; see 'evenkeel simulate --help'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\n", "# nothing", "---\n---\n", "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[]}"})
    void aFileWithoutAnObjectIsNoChange(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("manifest.yaml"), text);

        isRefused(simulate("-f", file.toString()), 1, "evenkeel: " + file + ": there is no object in it");
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        try {
            isRefused(simulate("-f", "-"), 1, "evenkeel: standard input: there is no object in it");
        } finally {
            System.setIn(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", " \n"})
    void aFileMayHoldNoScenario(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("scenarios.jsonl"), text);

        isRefused(
                Typed.evenkeel("why", "--scenario", file.toString()),
                1,
                "evenkeel: " + file + ": there is no scenario in it");
        isRefused(Typed.evenkeel("replay", file.toString()), 1, "evenkeel: " + file + ": there is no scenario in it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"objects\":null,\"pods\":null}",
                "{\"objects\":[" + NODE + "],\"pods\":[{\"metadata\":{\"name\":\"fits\"}}]}"
            })
    void aScenarioMayHaveNoPodThatWaits(String scenario) throws IOException {
        Path file = Files.writeString(folder.resolve("scenarios.jsonl"), scenario);

        isRefused(Typed.evenkeel("why", "--scenario", file.toString()), 0, "evenkeel: " + file + ": no pod waits");
        assertThat(Typed.evenkeel("replay", file.toString()).out()).hasLineCount(1);
    }
}
