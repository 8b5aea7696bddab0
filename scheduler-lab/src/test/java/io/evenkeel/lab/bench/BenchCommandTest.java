package io.evenkeel.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Rotated(3)
class BenchCommandTest {
    private static final String TINY = "--nodes 20 --zones 4 --pods 60 --groups 3 --warm-up-pods 0 ";

    private record Outcome(int exitCode, List<String> out, List<String> err) {}

    @Rotated(5)
    @ParameterizedTest
    @EnumSource(
            value = Workload.class,
            names = {"UNSCHEDULABLE", "TRACE_GPU"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyPodIsPlacedWhereItMayBe(Workload workload) throws IOException {
        Outcome outcome = run(TINY + "--workload " + workload.id());

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        assertThat(fields(outcome.out().getLast()))
                .containsEntry("workload", workload.id())
                .containsEntry("placed", "60")
                .containsEntry("unschedulable", "0");
    }

    @Test
    void whatNoNodeCanHoldIsPlacedNowhere() throws IOException {
        Outcome outcome = run(TINY + "--workload unschedulable");

        assertThat(outcome.exitCode()).isZero();
        assertThat(fields(outcome.out().getLast())).containsEntry("placed", "0").containsEntry("unschedulable", "60");
    }

    @Test
    void theLastLineHasAllFigures() throws IOException {
        Outcome outcome = run(TINY + "--workload mixed --seed 7");

        assertThat(outcome.out()).hasSizeGreaterThan(1);
        assertThat(fields(outcome.out().getLast()))
                .containsEntry("nodes", "20")
                .containsEntry("pods", "60")
                .containsEntry("zones", "4")
                .containsEntry("groups", "3")
                .containsEntry("seed", "7")
                .containsOnlyKeys(
                        "workload",
                        "nodes",
                        "pods",
                        "zones",
                        "groups",
                        "fill",
                        "placed",
                        "unschedulable",
                        "pods_per_s",
                        "cold_pods_per_s",
                        "cold_cpu_us_per_pod",
                        "us_per_pod_mean",
                        "us_per_pod_p50",
                        "us_per_pod_p99",
                        "us_per_pod_max",
                        "us_first_pod",
                        "cpu_us_per_pod",
                        "bytes_per_pod",
                        "seed");
    }

    @Test
    void groupsArePlacedTogetherHoweverMuchRoomThereIs() throws IOException {
        Outcome outcome = run("--workload group-12 --nodes 24 --pods 30 --warm-up-pods 0");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out().get(1))
                .isEqualTo("cluster        24 nodes, each where one of 4 racks and one of 6 rows cross");
        assertThat(fields(outcome.out().getLast()))
                .containsEntry("workload", "group-12")
                .containsEntry("groups", "9")
                .containsEntry("placed", "108")
                .containsEntry("unschedulable", "0")
                .containsEntry("one_a_node_groups", "3")
                .containsEntry("one_a_node_placed", "36")
                .containsEntry("one_a_node_unschedulable", "0")
                .containsKeys(
                        "one_a_node_pods_per_s",
                        "one_a_node_cpu_us_per_pod",
                        "group_ms_p50",
                        "group_ms_max",
                        "cold_group_ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"group-0", "group-", "group-many", "group-5001"})
    void aGroupHasANumberOfPods(String workload) throws IOException {
        Outcome outcome = run("--workload " + workload);

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(String.join("\n", outcome.err())).contains("group-N has a number from 1 to 5000");
    }

    @Rotated(3)
    @ParameterizedTest
    @CsvSource({"basic, 30", "both-hard, 30", "anti, 30", "affinity, 30", "mixed, 30", "volumes, 30", "dra, 5"})
    void onAFilledClusterToo(String workload, int fill) throws IOException {
        Outcome outcome = run("--nodes 20 --pods 60 --warm-up-pods 200 --fill " + fill + " --workload " + workload);

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out().get(1))
                .isEqualTo("cluster        20 nodes in 5 zones, filled with " + 20 * fill + " pods");
        assertThat(fields(outcome.out().getLast()))
                .containsEntry("fill", Integer.toString(fill))
                .containsEntry("pods", "60")
                .containsEntry("placed", "60");
    }

    @Test
    void aWorkloadOfTheReferenceIsOfItsOwnSizeUnlessAnotherIsAskedFor() throws IOException {
        Outcome outcome = run("--workload perf:PreemptionBasic --pods 7 --warm-up-pods 0");

        assertThat(outcome.err()).isEmpty();
        assertThat(fields(outcome.out().getLast()))
                .containsEntry("workload", "perf:PreemptionBasic")
                .containsEntry("nodes", "1000")
                .containsEntry("residents", "4000")
                .containsEntry("pods", "7")
                .containsEntry("placed", "7")
                .doesNotContainKey("reference_floor");
    }

    @Rotated(3)
    @Test
    void theReferencesFloorStandsBesideTheRate() throws IOException {
        Outcome outcome = run("--workload perf:SchedulingWithNodeInclusionPolicy --warm-up-pods 0");

        assertThat(outcome.out())
                .filteredOn(line -> line.startsWith("pods/s "))
                .singleElement()
                .asString()
                .endsWith("(kube-scheduler's CI, whole scheduler: at least 68)");
        assertThat(fields(outcome.out().getLast()))
                .containsEntry("placed", "4000")
                .containsEntry("reference_floor", "68");
    }

    @Test
    void aBaselineThatIsNotThereIsMissedBeforeAnythingIsMeasured() {
        Outcome outcome = run("--suite --baseline no-such-baseline.json");

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).containsExactly("evenkeel: no-such-baseline.json does not exist");
    }

    @Test
    void aCrowdWaitsBesideWhatIsPlaced() throws IOException {
        Outcome outcome = run(TINY + "--workload crowd --seed 7");

        assertThat(outcome.out())
                .contains("crowd          10,000 pods of 20 Deployments in 4 namespaces, waiting")
                .contains("placed         60 of 60 pods, each after an event of a node");
        assertThat(fields(outcome.out().getLast()))
                .containsEntry("crowd", "10000")
                .containsEntry("seed", "7")
                .containsKeys("alone_us_per_pod", "crowded_us_per_event", "pod_times", "all_times", "in_vain_share");
    }

    @Test
    void theNameOfASuiteMayBeLeftOut() {
        assertThat(run("--suite scale --baseline no-such-baseline.json"))
                .isEqualTo(run("--suite --baseline no-such-baseline.json"));
    }

    /** The placements are not asked after: that the pods are bound at all has gone through every part there is. */
    @Rotated(3)
    @Test
    void endToEndEveryPodIsBoundByAnApiServerInAnotherProcess() throws IOException {
        Outcome outcome = run(TINY + "--workload mixed --end-to-end");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        assertThat(fields(outcome.out().getLast()))
                .containsEntry("workload", "mixed")
                .containsEntry("end_to_end", "true")
                .containsEntry("placed", "60")
                .containsKeys("pods_per_s", "cpu_ms_per_pod", "peak_memory_mb", "first_binding_s");
    }

    @Rotated(3)
    @Test
    void coldAProcessOfRunBindsThePodsThatWaitForIt() throws IOException {
        Outcome outcome = run(TINY + "--workload mixed --end-to-end --cold");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).anyMatch(line -> line.startsWith("first binding  "));
        assertThat(fields(outcome.out().getLast()))
                .containsEntry("cold", "true")
                .containsEntry("placed", "60")
                .containsKeys("pods_per_s", "first_binding_s", "first_binding_cpu_s", "bound_60_s", "bound_60_cpu_s");
    }

    @Rotated(3)
    @Test
    void whatOpenPagesCostIsMeasuredBesideRoundsWithout() throws IOException {
        Outcome outcome = run(TINY + "--workload mixed --end-to-end --pages 2");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        assertThat(fields(outcome.out().getLast()))
                .containsEntry("pages", "2")
                .containsKeys("decision_p99_us_without", "decision_p99_us_with", "memory_mb_with");
    }

    @Test
    void endToEndPodsThatCannotBeBoundAreRefused() throws IOException {
        Outcome outcome = run(TINY + "--workload unschedulable --end-to-end");

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).singleElement().asString().contains("--end-to-end");
    }

    @Test
    void asJsonTheLastLineIsTheOnlyOne() throws IOException {
        Outcome outcome = run(TINY + "--workload basic --output json");

        assertThat(outcome.out()).hasSize(1);
        assertThat(fields(outcome.out().getFirst())).containsEntry("workload", "basic");
    }

    @Test
    void moreAntiAffinePodsThanNodesGetMoreApps() throws IOException {
        Outcome outcome = run("--nodes 5 --pods 100 --warm-up-pods 0 --workload anti");

        assertThat(fields(outcome.out().getLast()))
                .containsEntry("groups", "20")
                .containsEntry("placed", "100");
    }

    @Test
    void whatWarmsUpIsNotCounted() throws IOException {
        Outcome outcome = run("--nodes 20 --pods 60 --warm-up-pods 200 --workload both-hard");

        assertThat(fields(outcome.out().getLast())).containsEntry("placed", "60");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --workload basics                    | there is no workload "basics"; did you mean "basic"?
        --workload waves                     | hostile-
        --workload waves                     | , group-N, and perf:NAME (perf: alone lists them)
        --workload SchedulingBasic           | did you mean "perf:SchedulingBasic"?
        --workload hostile-keys --nodes 0    | --nodes must be at least 1, got 0
        --workload crowd --nodes 0           | --nodes must be at least 1, got 0
        --workload group-5 --nodes 0         | --nodes must be at least 1, got 0
                                             | Missing required option:
        --workload basic --nodes 0           | --nodes must be at least 1, got 0
        --workload anti --nodes 0            | --nodes must be at least 1, got 0
        --workload basic --pods -5           | --pods must be at least 1, got -5
        --workload basic --groups 0          | --groups must be at least 1, got 0
        --workload basic --zones 0           | --zones must be at least 1, got 0
        --workload basic --zones 6 --nodes 5 | --zones 6 is more than --nodes 5
        --workload basic --warm-up-pods -1   | --warm-up-pods must be at least 0, got -1
        --workload basic --nodes 2000000     | --nodes must be at most 1000000, got 2000000
        --workload basic --pods many         | expected a whole number, got
        --workload basic --output yaml       | --output is text, json or csv, got yaml
        --workload basic --output csv        | --output csv is for --suite
        --workload perf:Basic                | there are perf:SchedulingBasic, perf:SchedulingDaemonset, perf:
        --workload perf:                     | there is no workload "perf:"; there are perf:SchedulingBasic,
        --workload perf:SchedulingBasic --zones 3    | --zones is not for perf:SchedulingBasic, whose cluster is
        --workload perf:SchedulingBasic --groups 3   | --groups is not for perf:SchedulingBasic
        --workload perf:SchedulingBasic --fill 0     | --fill is not for perf:SchedulingBasic
        --workload perf:SchedulingBasic --nodes 0    | --nodes must be at least 1, got 0
        --workload perf:SchedulingBasic --end-to-end | --end-to-end is not for perf:SchedulingBasic
        --suite --workload basic             | --suite has cases of its own, without --workload
        --suite --fill 3 --nodes 5           | --suite has cases of its own, without --nodes
        --workload basic --cold              | --cold is for --end-to-end
        --suite --cold                       | --cold is for --end-to-end
        --workload basic --pages 2           | --pages is for --end-to-end
        --workload basic --end-to-end --pages 201       | --pages is 1 to 200, without --cold
        --workload basic --end-to-end --pages 2 --cold  | --pages is 1 to 200, without --cold
        --suite --end-to-end                 | --suite has cases of its own, without --end-to-end
        --workload basic --baseline b.json   | --baseline is for --suite
        --suite scales                       | there is no suite "scales"; there are usual, scale
        --suite=                             | there is no suite ""; there are usual, scale
        --suite --baseline=                  | must not be empty
        --workload basic --fill -1           | --fill must be at least 0, got -1
        --workload basic --fill 111          | --fill must be at most 110, got 111
        --workload basic --fill 110          | --fill 110 leaves room for 0 pods, --pods is 1000
        --workload full --fill 1             | --fill has no room in full, whose nodes are full
        --workload preemption --fill 1       | --fill has no room in preemption, whose nodes are full
        --workload anti --groups 2 --fill 3  | --fill 3 of anti needs 3 apps, --groups is 2
        --workload hostile-terms --fill 1    | --fill is not for hostile-terms, which has a cluster of its own
        --workload crowd --fill 1            | --fill is not for crowd, which has a cluster of its own
        --workload crowd --end-to-end        | --end-to-end has no crowd, as of crowd
        --workload basic --end-to-end --fill 1          | --end-to-end starts with an empty cluster, without --fill
        --workload zone-hard --nodes 7 --fill 1 --pods 1 | --nodes 7 is no multiple of --zones 5
        """)
    void whoeverMistypesGetsOneLine(@Nullable String arguments, String message) {
        Outcome outcome = run(arguments == null ? "" : arguments);

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).hasSize(1);
        assertThat(outcome.err().getFirst()).startsWith("evenkeel: ").contains(message);
    }

    private static Outcome run(String arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                Evenkeel.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exitCode =
                command.execute(new Scanner("bench " + arguments).tokens().toArray(String[]::new));
        return new Outcome(
                exitCode,
                out.toString().lines().toList(),
                err.toString().lines().toList());
    }

    /** Of a last line, which has these two figures of each workload. */
    private static Map<String, String> fields(String json) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                fields.put(name, parser.getText());
            }
            assertThat(parser.currentToken()).isEqualTo(JsonToken.END_OBJECT);
        }
        for (String figure : List.of("pods_per_s", "cpu_us_per_pod")) {
            assertThat(new BigDecimal(fields.getOrDefault(figure, "0")))
                    .as(figure)
                    .isPositive();
        }
        return fields;
    }
}
