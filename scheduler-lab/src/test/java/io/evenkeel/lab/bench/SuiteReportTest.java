package io.evenkeel.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.lab.bench.Bench.Figures;
import io.evenkeel.lab.bench.Suite.Case.Name;
import io.evenkeel.lab.bench.Suite.Row;
import io.evenkeel.lab.bench.Suite.SuiteReport;
import io.evenkeel.lab.bench.Suite.SuiteReport.Baseline;
import io.evenkeel.problem.UserProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuiteReportTest {
    private static final Name BASIC = new Name("basic", 5_000, 20, 10_000);

    @TempDir
    private Path files;

    @Test
    void aRowStandsUnderItsHeads() {
        SuiteReport report = new SuiteReport(Baseline.NONE);

        assertThat(report.head())
                .isEqualTo(
                        "workload                                               nodes  fill    pods    pods/s   µs p50"
                                + "   µs p99   µs cpu bytes/pod");
        assertThat(report.row(row(BASIC, 107_552, 9.3, 2_048)))
                .isEqualTo(
                        "basic                                                  5,000    20  10,000   107,552      8.9"
                                + "     13.5      9.3     2,048");
    }

    @Test
    void aLineOfCsvHasTheFieldsOfItsHead() {
        assertThat(SuiteReport.csvHead().split(",")).hasSize(9).endsWith("cpu_us_per_pod", "bytes_per_pod");
        assertThat(SuiteReport.csv(row(BASIC, 107_552, 9.3, 2_048)))
                .isEqualTo("basic,5000,20,10000,107552.0,8.9,13.5,9.3,2048");
    }

    @Test
    void whatWasPrintedBeforeIsComparedWith() throws IOException {
        Path before = files.resolve("before.json");
        Name gone = new Name("gone", 1, 0, 1);
        Files.writeString(before, SuiteReport.json(List.of(row(BASIC, 50_000, 18.6, 1_024), row(gone, 1, 1, 1)), 7));

        SuiteReport report = new SuiteReport(Baseline.read(before));

        assertThat(report.head()).endsWith("bytes/pod   × pods/s  × µs cpu × bytes");
        assertThat(report.row(row(BASIC, 100_000, 9.3, 1_024))).endsWith("1,024       2.00      0.50    1.00");
        assertThat(report.row(row(new Name("basic", 5_000, 0, 10_000), 1, 1, 1)))
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
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                                            | no JSON object
            no JSON                                       | no JSON at line 1, column 1
            []                                            | no JSON object
            1                                             | no JSON object
            {}                                            | no cases
            {"cases": []}                                 | no cases
            {"cases": {"basic": 1}}                       | no cases
            {"other": [{"workload": "basic"}], "cases": 7} | no cases
            {"cases": [7]}                                | a case that is no object
            {"cases": [[{"workload": "basic"}]]}          | a case that is no object
            {"cases": [{}]}                               | a case of no workload
            {"cases": [{"workload": " ", "nodes": 1}]}    | a case of no workload
            {"cases": [{"workload": ["basic"], "nodes": 1}]}          | a case of no workload
            {"cases": [{"workload": "basic", "nodes": 1               | no JSON at line 1, column 44
            {"cases": [{"workload": "basic", "nodes": "1"}]}          | a case without nodes
            {"cases": [{"workload": "basic", "nodes": 0}]}            | a case of 0 nodes
            {"cases": [{"workload": "basic", "nodes": 1.5}]}          | a case of 1.5 nodes
            {"cases": [{"workload": "basic", "nodes": 1e99999999}]}   | a case of 1E+99999999 nodes
            {"cases": [{"workload": "basic", "nodes": 1e-99999999}]}  | a case of 1E-99999999 nodes
            {"cases": [{"workload": "basic", "nodes": 1, "fill": -1}]} | a case of -1 fill
            {"cases": [{"workload": "basic", "nodes": 1, "fill": 0, "pods": 1}]} | a case without
            {"workload": "basic", "nodes": 5000}          | no cases
            """)
    void aFileThatIsNoBaselineIsRefusedInALineThatSaysWhy(String text, String why) throws IOException {
        Path file = Files.writeString(files.resolve("other.json"), text);

        assertThatThrownBy(() -> Baseline.read(file))
                .isInstanceOf(UserProblem.class)
                .hasMessageStartingWith(file + " is not what 'evenkeel bench --suite --output json' prints: " + why);
    }

    @Test
    void aCaseThatIsThereTwiceAndASecondRunInTheSameFileAreRefused() throws IOException {
        String once = SuiteReport.json(List.of(row(BASIC, 1, 1, 1)), 7);
        Path twice = Files.writeString(
                files.resolve("twice.json"), SuiteReport.json(List.of(row(BASIC, 1, 1, 1), row(BASIC, 2, 2, 2)), 7));
        Path appended = Files.writeString(files.resolve("appended.json"), once + "\n" + once);

        assertThatThrownBy(() -> Baseline.read(twice))
                .hasMessageEndingWith(": two cases of one workload with 5000 nodes, 10000 pods and fill 20");
        assertThatThrownBy(() -> Baseline.read(appended)).hasMessageEndingWith(": more than one JSON object");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Baseline.read(files.resolve("none.json")))
                .isInstanceOf(UserProblem.class)
                .hasMessage(files.resolve("none.json") + " does not exist");
        assertThatThrownBy(() -> Baseline.read(files)).hasMessage(files + " is a directory");
    }

    private static Row row(Name name, double podsPerSecond, double cpuMicros, long bytes) {
        return new Row(name, new Figures(10, 0, podsPerSecond, 9.1, 8.9, 13.5, 99, 99, cpuMicros, bytes));
    }
}
