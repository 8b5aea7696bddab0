package io.evenkeel.lab.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.cli.FailureException;
import io.evenkeel.lab.bench.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SuiteReportTest {
    private static final CaseName BASIC = new CaseName("basic", 5_000, 20, 10_000);

    @TempDir
    private Path files;

    @Test
    void aRowStandsUnderItsHeads() {
        SuiteReport report = new SuiteReport(Baseline.NONE);

        assertThat(report.head())
                .isEqualTo("workload                                               nodes  fill    pods/s   µs p50"
                        + "   µs p99   µs cpu bytes/pod");
        assertThat(report.row(row(BASIC, 107_552, 9.3, 2_048)))
                .isEqualTo("basic                                                  5,000    20   107,552      8.9"
                        + "     13.5      9.3     2,048");
    }

    @Test
    void whatWasPrintedBeforeIsComparedWith() throws IOException {
        Path before = files.resolve("before.json");
        CaseName gone = new CaseName("gone", 1, 0, 1);
        Files.writeString(before, SuiteReport.json(List.of(row(BASIC, 50_000, 18.6, 1_024), row(gone, 1, 1, 1)), 7));

        SuiteReport report = new SuiteReport(Baseline.read(before));

        assertThat(report.head()).endsWith("bytes/pod   × pods/s  × µs cpu × bytes");
        assertThat(report.row(row(BASIC, 100_000, 9.3, 1_024))).endsWith("1,024       2.00      0.50    1.00");
        assertThat(report.row(row(new CaseName("basic", 5_000, 0, 10_000), 1, 1, 1)))
                .endsWith("        1          –         –       –");
    }

    @Test
    void nothingIsDividedByZero() throws IOException {
        Path before = files.resolve("before.json");
        Files.writeString(before, SuiteReport.json(List.of(row(BASIC, 0, 0, 0)), 7));

        assertThat(new SuiteReport(Baseline.read(before)).row(row(BASIC, 1, 1, 1)))
                .endsWith("        1          –         –       –");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no JSON",
                "[]",
                "{\"cases\": []}",
                "{\"cases\": [{}]}",
                "{\"cases\": [{\"workload\": \"basic\", \"nodes\": 1",
                "{\"cases\": [{\"workload\": [\"basic\"], \"nodes\": 1}]}",
                "{\"workload\": \"basic\", \"nodes\": 5000}"
            })
    void aFileThatIsNoBaselineIsRefusedInALine(String text) throws IOException {
        Path file = Files.writeString(files.resolve("other.json"), text);

        assertThatThrownBy(() -> Baseline.read(file))
                .isInstanceOf(FailureException.class)
                .hasMessage(file + " is not what 'evenkeel bench --suite --output json' prints");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Baseline.read(files.resolve("none.json")))
                .isInstanceOf(FailureException.class)
                .hasMessage(files.resolve("none.json") + " does not exist");
        assertThatThrownBy(() -> Baseline.read(files)).hasMessage(files + " is a directory");
    }

    private static SuiteRow row(CaseName name, double podsPerSecond, double cpuMicros, long bytes) {
        return new SuiteRow(name, new Figures(10, 0, podsPerSecond, 9.1, 8.9, 13.5, 99, cpuMicros, bytes));
    }
}
