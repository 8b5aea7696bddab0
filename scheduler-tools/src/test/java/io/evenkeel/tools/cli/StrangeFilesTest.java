package io.evenkeel.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are something else than what they are read as: one line says so. */
class StrangeFilesTest {
    private static final byte[] PICTURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, '\n', (byte) 0xff};

    @TempDir
    private Path folder;

    private void isRefused(Path file, String why) {
        for (String[] command : new String[][] {{"replay"}, {"why", "--scenario"}}) {
            String[] typed = Arrays.copyOf(command, command.length + 1);
            typed[command.length] = file.toString();
            assertThat(Typed.evenkeel(typed))
                    .isEqualTo(new Typed(1, "", "evenkeel: " + file + why + System.lineSeparator()));
        }
    }

    @Test
    void aPictureHasNoScenarios() throws IOException {
        isRefused(
                Files.write(folder.resolve("a.png"), PICTURE),
                ":1: not UTF-8; nor is any of the 3 lines after it a scenario");
    }

    @Test
    void aManifestHasNoScenarios() throws IOException {
        String said =
                ":1: column 1: Unrecognized token 'kind': was expecting (JSON String, Number, Array, Object or token"
                        + " 'null', 'true' or 'false')";

        isRefused(Files.writeString(folder.resolve("a.yaml"), "kind: Pod\n"), said);
        isRefused(
                Files.writeString(folder.resolve("b.yaml"), "kind: Pod\n\nspec: {}\n"),
                said + "; nor is the line after it a scenario");
        isRefused(
                Files.writeString(folder.resolve("c.yaml"), String.join("\n", Collections.nCopies(5_000, "kind: Pod"))),
                said + "; nor is any of the 999 lines after it a scenario");
    }

    @Test
    void linesBeforeTheFirstScenarioAreToldOfAllTheSame() throws IOException {
        Path file = Files.writeString(folder.resolve("a.jsonl"), "one\ntwo\n{\"name\":\"s\"}\n");

        Typed typed = Typed.evenkeel("replay", file.toString());

        assertThat(typed.exitCode()).isEqualTo(1);
        assertThat(typed.out()).isEqualTo("{\"name\":\"s\",\"steps\":[]}" + System.lineSeparator());
        assertThat(typed.err()).contains(":1: column 1: ", ":2: column 1: ").hasLineCount(2);
    }

    @Test
    void aFileThatIsNoGzipOrEndsTooEarlyIsNamed() throws IOException {
        isRefused(Files.writeString(folder.resolve("a.gz"), ""), " ends in the midst of its gzip data");
        isRefused(
                Files.write(folder.resolve("b.jsonl"), new byte[] {0x1f, (byte) 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}),
                " is no gzip file, or a damaged one: Unsupported compression method");
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write("\n\n".getBytes(StandardCharsets.UTF_8));
        }
        byte[] part = Arrays.copyOf(packed.toByteArray(), packed.size() - 6);
        Path file = Files.write(folder.resolve("c.gz"), part);
        isRefused(file, " ends in the midst of its gzip data; line 2 was the last");
        assertThat(Typed.evenkeel("simulate", "--dump", file.toString(), "--drain", "n")
                        .err())
                .isEqualTo("evenkeel: " + file + " ends in the midst of its gzip data" + System.lineSeparator());
    }
}
