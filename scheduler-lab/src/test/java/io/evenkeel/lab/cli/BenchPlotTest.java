package io.evenkeel.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code evenkeel bench --plot}. */
class BenchPlotTest {
    private static final String CASES = """
        {"seed":1,"cases":[
        {"workload":"basic","nodes":1000,"fill":0,"pods":100,"pods_per_s":300.5},
        {"workload":"basic","nodes":5000,"fill":0,"pods":100,"pods_per_s":200},
        {"workload":"basic","nodes":5000,"fill":0,"pods":900,"pods_per_s":250,"unknown":[{"pods_per_s":1}]}
        ]}
        """;

    @TempDir
    private Path files;

    private Path measured = Path.of("");

    @BeforeEach
    void measured() throws IOException {
        measured = Files.writeString(files.resolve("may.json"), CASES);
    }

    @Test
    void eachDrawingIsAFileOfADirectoryThatIsMade() {
        Path directory = files.resolve("docs/plots");

        Typed typed = plot(measured, "--output-dir", directory.toString());

        assertThat(typed.err()).isEmpty();
        assertThat(typed.exitCode()).isZero();
        assertThat(typed.out().lines().map(Path::of))
                .containsExactly(
                        directory.resolve("may-by-workload.svg"),
                        directory.resolve("may-by-nodes.svg"),
                        directory.resolve("may-by-pods.svg"))
                .allSatisfy(
                        file -> assertThat(file).content().startsWith("<svg ").endsWith("</svg>\n"));
    }

    @Test
    void drawnAgainTheFilesAreTheSame() throws IOException {
        plot(measured, "--output-dir", files.resolve("one").toString());
        plot(measured, "--output-dir", files.resolve("other").toString());
        plot(measured, "--output-dir", files.resolve("other").toString());

        for (String name : new String[] {"may-by-workload.svg", "may-by-nodes.svg", "may-by-pods.svg"}) {
            assertThat(files.resolve("one").resolve(name))
                    .hasSameTextualContentAs(files.resolve("other").resolve(name));
        }
    }

    @Test
    void aBaselineIsDrawnBeside() throws IOException {
        Path before = Files.writeString(files.resolve("april.json"), CASES.replace("200}", "100}"));

        Typed typed = plot(measured, "--baseline", before.toString(), "--output-dir", files.toString());

        assertThat(typed.err()).isEmpty();
        assertThat(files.resolve("may-by-workload.svg"))
                .content()
                .contains(">april<")
                .contains(">200 (× 2.00)<");
    }

    @Test
    void whatCannotBeDrawnIsOneLine() throws IOException {
        Path other = Files.writeString(files.resolve("other.json"), "{\"cases\":[{\"workload\":\"basic\"}]}");
        Path elsewhere = Files.writeString(files.resolve("elsewhere.json"), CASES.replace("basic", "anti"));
        String notOurs = " is not what 'evenkeel bench --suite --output json' prints: ";

        fails(plot(files.resolve("none.json")), files.resolve("none.json") + " does not exist");
        fails(plot(files), files + " is a directory");
        fails(plot(other), other + notOurs + "a case without nodes");
        fails(
                plot(Files.writeString(files.resolve("no"), "<svg/>")),
                files.resolve("no") + notOurs + "no JSON at line 1, column 1");
        fails(plot(measured, "--baseline", other.toString()), other + notOurs + "a case without nodes");
        fails(
                plot(measured, "--baseline", elsewhere.toString()),
                "the baseline elsewhere has none of the cases that are drawn of may: same workload, nodes, fill and pods");
        fails(plot(measured, "--output-dir", other.toString()), other + " is no directory");
        Path below = other.resolve("below");
        assertThat(plot(measured, "--output-dir", below.toString()).err())
                .startsWith("evenkeel: " + below)
                .hasLineCount(1);
        Files.createDirectory(files.resolve("may-by-nodes.svg"));
        fails(plot(measured, "--output-dir", files.toString()), files.resolve("may-by-nodes.svg") + " is a directory");
    }

    private static void fails(Typed typed, String line) {
        assertThat(typed).isEqualTo(new Typed(1, "", "evenkeel: " + line + "\n"));
    }

    private static Typed plot(Path measured, String... more) {
        return Typed.evenkeel(Stream.concat(Stream.of("bench", "--plot", measured.toString()), Stream.of(more))
                .toArray(String[]::new));
    }
}
