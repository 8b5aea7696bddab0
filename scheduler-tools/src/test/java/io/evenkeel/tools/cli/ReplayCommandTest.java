package io.evenkeel.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.app.cli.Typed;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                "{\"pods\": [{\"metadata\": {\"name\": \"a\"}}, {\"metadata\": {\"name\": 7}}]}|pods[1]: Pod:"
                        + " metadata.name: expected a string, got 7",
                "{\"featureGates\": []}|featureGates: expected an object, got a list",
                "{\"featureGates\": {\"MemoryQoS\": 1}}|featureGates.MemoryQoS: expected true or false, got 1",
                "{\"featureGates\": {\"NoSuch\": true}}|unrecognized feature gate: NoSuch",
                "{\"config\": 5}|config:1:1: expected a mapping, got 5",
                """
                {"config": {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", \
                "profiles": [{"plugins": {"score": {"enabled": [{"name": "NodeAffinity", "weight": -1}]}}}]}}|\
                config: profiles[0].plugins.score: total score of Score plugins could overflow: \
                with NodeAffinity's -1 the weights add up to -1, and other plugins follow\
                """,
                "{\"pods\": [{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"schedulerName\": \"other\"}}]}|pod"
                        + " default/a: spec.schedulerName: no profile is named \"other\"; there are"
                        + " [default-scheduler, evenkeel]",
                "{\"object\": []}|object: unknown field; did you mean \"objects\"?",
                "{\"pod\": {}}|pod: unknown field; did you mean \"pods\"?",
                "{\"nodes\": []}|nodes: unknown field; objects of all kinds belong in \"objects\"",
                "{\"colour\": 1}|colour: unknown field",
                "{\"co\\nl\\u001bour\": 1}|co\\nl\\u001bour: unknown field",
            })
    void aLineThatMakesNoSenseIsReportedAndTheOthersAreAnswered(String line, String message) throws IOException {
        Path file = Files.writeString(
                directory.resolve("scenarios.jsonl"), "{\"name\":\"before\"}\n" + line + "\n{\"name\":\"after\"}\n");

        assertThat(replay(file))
                .isEqualTo(new Outcome(1, List.of(BEFORE, AFTER), List.of("evenkeel: " + file + ":2: " + message)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1100|'expected': %s|expected: Document nesting depth (1001) exceeds the maximum allowed (1000)",
                "1100|'config': %s|config: Document nesting depth (1001) exceeds the maximum allowed (1000)",
                "1100|'pods': [{'metadata': {'name': 'a'}, 'spec': {'x': %s}}]|pods[0]: Pod default/a: spec.x[0]",
                "1100|'objects': [{'kind': 'Node', 'metadata': {'name': 'n', 'x': %s}}]|objects[0]: Node n:"
                        + " metadata.x[0]",
                "1100|'objects': [{'x': %s, 'kind': 'Node', 'metadata': {'name': 'n'}}]|objects[0]: object: x[0]",
            })
    void whatIsNestedTooDeepIsRefusedByTheNameOfItsField(int depth, String fields, String message) throws IOException {
        String nested = "[".repeat(depth) + "]".repeat(depth);
        Path file = Files.writeString(
                directory.resolve("scenarios.jsonl"),
                "{\"name\":\"before\"}\n{" + fields.replace('\'', '"').formatted(nested) + "}\n{\"name\":\"after\"}\n");

        assertThat(replay(file)).satisfies(outcome -> {
            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.out()).containsExactly(BEFORE, AFTER);
            assertThat(outcome.err()).singleElement().asString().startsWith("evenkeel: " + file + ":2: " + message);
        });
    }

    @Test
    void aNumberOfThousandsOfDigitsIsRefusedByTheNameOfItsField() throws IOException {
        Path file = Files.writeString(
                directory.resolve("scenarios.jsonl"),
                "{\"pods\":[{\"metadata\":{\"name\":\"a\"},\"spec\":{\"overhead\":{\"cpu\":" + "9".repeat(3000)
                        + "}}}]}");

        assertThat(replay(file))
                .isEqualTo(new Outcome(
                        1,
                        List.of(),
                        List.of("evenkeel: " + file
                                + ":1: pods[0]: Pod default/a: spec.overhead.cpu: Number value length"
                                + " (3000) exceeds the maximum allowed (1000)")));
    }

    /** As deep as a scenario may be, where fields are looked through for remarks too. */
    @ParameterizedTest
    @ValueSource(ints = {260, 900})
    void whatIsNestedDeepIsAnswered(int depth) throws IOException {
        String nested = "[".repeat(depth) + "]".repeat(depth);
        Path file = Files.writeString(
                directory.resolve("scenarios.jsonl"),
                "{\"name\":\"before\",\"expected\":" + nested
                        + "}\n{\"name\":\"after\",\"objects\":[{\"kind\":\"Node\","
                        + "\"metadata\":{\"name\":\"n\",\"x\":" + nested + "}}]}");

        assertThat(replay(file))
                .isEqualTo(new Outcome(
                        0,
                        List.of(BEFORE, AFTER),
                        List.of("evenkeel: " + file + ":2: warning: objects[0].metadata.x: unknown field")));
    }

    @Test
    void aPodWithoutAKindIsAPodEvenWhereItSaysSo() throws IOException {
        Path file = Files.writeString(
                directory.resolve("scenarios.jsonl"),
                "{\"pods\":[{\"kind\":null,\"metadata\":{\"name\":\"a\",\"lables\":{}}}]}");

        assertThat(replay(file))
                .isEqualTo(new Outcome(
                        0,
                        List.of("{\"name\":\"\",\"steps\":[{\"pod\":\"default/a\",\"message\":\"no nodes available to"
                                + " schedule pods\"}]}"),
                        List.of("evenkeel: " + file
                                + ":1: warning: pods[0].metadata.lables: unknown field; did you mean"
                                + " \"labels\"?")));
    }

    @Test
    void aSecondObjectOfOneNameIsNamed() throws IOException {
        String node = "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}}";
        String pod = "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"schedulingGates\":[{\"name\":\"g\"}]}}";
        Path file = Files.writeString(
                directory.resolve("scenarios.jsonl"),
                "{\"objects\":[" + node + "," + node + "," + node + "],\"pods\":[" + pod + "," + pod + "]}");

        assertThat(replay(file).err())
                .containsExactly(
                        "evenkeel: " + file + ":1: warning: objects[1]: a second Node n; the last one counts",
                        "evenkeel: " + file + ":1: warning: pods[1]: a second Pod default/a; where both are placed,"
                                + " the last one counts");
    }

    @Test
    void aPodWithSchedulingGatesIsHeldAndTheOthersAreAnswered() throws IOException {
        Path file = Files.writeString(directory.resolve("gated.jsonl"), """
            {"name":"s","objects":[{"kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"pods":"1"}}}],\
            "pods":[{"metadata":{"name":"a"},"spec":{"schedulingGates":[{"name":"x"},{"name":"y"}]}},\
            {"metadata":{"name":"b"}}]}
            """);

        assertThat(replay(file).out().getFirst())
                .startsWith(
                        "{\"name\":\"s\",\"steps\":[{\"pod\":\"default/a\",\"preEnqueue\":\"SchedulingGates: waiting for"
                                + " scheduling gates: [x y]\"},{\"pod\":\"default/b\",")
                .endsWith("\"node\":\"n\"}]}");
        assertThat(String.join(" ", replay(file, "-o", "text").out()))
                .contains("default/a waits, held by SchedulingGates: waiting for scheduling gates: [x y]")
                .contains("default/b goes to n");
        assertThat(Typed.evenkeel("why", "--scenario", file.toString()).out())
                .contains("default/a waits, held by SchedulingGates: waiting for scheduling gates: [x y]");
    }

    @Test
    void aGroupWithAPodThatIsHeldWaitsForIt() throws IOException {
        Path file = Files.writeString(directory.resolve("gated.jsonl"), """
            {"name":"s","group":"gang","objects":[{"kind":"Node","metadata":{"name":"n"},\
            "status":{"allocatable":{"pods":"9"}}}],\
            "pods":[{"metadata":{"name":"a"},"spec":{"schedulingGates":[{"name":"x"}]}},{"metadata":{"name":"b"}}]}
            """);

        assertThat(replay(file).out().getFirst())
                .contains("\"pod\":\"default/a\",\"preEnqueue\":\"SchedulingGates: waiting for scheduling gates: [x]\"")
                .contains("\"message\":\"the group waits: 1 of its 2 pods is held back\"");
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
    void fieldsThatKubernetesDoesNotHaveAreSaidOnce() throws IOException {
        String misspelt =
                "{\"name\":\"before\",\"objects\":[{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\",\"lables\":{}}},"
                        + "{\"kind\":\"Whatever\",\"metadata\":{\"name\":\"w\"},\"any\":1}]}\n";
        Path file = Files.writeString(
                directory.resolve("scenarios.jsonl"),
                misspelt + misspelt.replace("lables", "labels")
                        + misspelt
                        + "{\"pods\":[{\"metadata\":{\"name\":\"p\"},\"spec\":{\"topologySpreadConstraint\":[],"
                        + "\"containers\":[{\"name\":\"c\",\"imagePullPolicy\":\"Always\"},{\"name\":\"d\",\"sizes\":1}]}}]}");

        assertThat(replay(file).err())
                .containsExactly(
                        "evenkeel: " + file + ":1: warning: objects[0].metadata.lables: unknown field; did you mean"
                                + " \"labels\"?",
                        "evenkeel: " + file + ":4: warning: pods[0].spec.topologySpreadConstraint: unknown field; did"
                                + " you mean \"topologySpreadConstraints\"?",
                        "evenkeel: " + file + ":4: warning: pods[0].spec.containers[1].sizes: unknown field");
    }

    /** As {@code evenkeel run} without a configuration, and pods that name no scheduler besides. */
    @Test
    void withoutAConfigurationThereAreTheProfilesOfBothSchedulers() throws IOException {
        Path file = Files.writeString(
                directory.resolve("scenarios.jsonl"),
                "{\"pods\":[{\"metadata\":{\"name\":\"a\"}},{\"metadata\":{\"name\":\"b\"},\"spec\":{\"schedulerName\":"
                        + "\"evenkeel\"}}]}");

        assertThat(replay(file))
                .satisfies(outcome -> assertThat(outcome.exitCode()).isZero())
                .satisfies(outcome -> assertThat(outcome.out())
                        .singleElement()
                        .asString()
                        .contains("\"pod\":\"default/a\"", "\"pod\":\"default/b\""));
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
                        1,
                        List.of(),
                        List.of("evenkeel: " + unpacked + " is no gzip file, or a damaged one: Not in GZIP format")));
    }

    /** Two zones: only tainted nodes in one of them, so that who does not count those sees one zone. */
    private static final String TAINTED_ZONE = """
        {"name":"s",%s"objects":[
         {"kind":"Node","metadata":{"name":"a","labels":{"zone":"1"}},
          "spec":{"taints":[{"key":"score","value":"7","effect":"NoSchedule"}]},
          "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}},
         {"kind":"Node","metadata":{"name":"b","labels":{"zone":"2"}},
          "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}},
         {"kind":"Pod","metadata":{"name":"first","labels":{"app":"web"}},"spec":{"nodeName":"b"}}],
         "pods":[{"metadata":{"name":"p","labels":{"app":"web"}},"spec":{
          "tolerations":[{"key":"score","operator":"Gt","value":"5"}],
          "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule",
           "nodeTaintsPolicy":"Honor","labelSelector":{"matchLabels":{"app":"web"}}}]}}]}\
        """.replace("\n", "");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "||b",
                "--feature-gates=TaintTolerationComparisonOperators=true||a",
                "--feature-gates=kube:AllBeta=true,kube:CoordinatedLeaderElection=0,,"
                        + "kube:TaintTolerationComparisonOperators=1||a",
                "|\"featureGates\":{\"TaintTolerationComparisonOperators\":true},|a",
                "--feature-gates=TaintTolerationComparisonOperators=true|"
                        + "\"featureGates\":{\"TaintTolerationComparisonOperators\":false},|b",
            })
    void featureGatesDecideWhatTolerationsSay(String flag, String field, String node) throws IOException {
        Path file = Files.writeString(
                directory.resolve("scenarios.jsonl"), TAINTED_ZONE.formatted(field == null ? "" : field));

        Outcome outcome = flag == null ? replay(file) : replay(file, flag, "--assert");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).singleElement().asString().contains("\"node\":\"" + node + '"');
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NoSuch=true|--feature-gates: unrecognized feature gate: NoSuch",
                "MemoryQoS|Invalid value for option '--feature-gates' (GATE=BOOL,...): missing bool value for"
                        + " MemoryQoS",
                "MemoryQoS=no|Invalid value for option '--feature-gates' (GATE=BOOL,...): invalid value of"
                        + " MemoryQoS=no, expected true or false",
                "other:MemoryQoS=true|Invalid value for option '--feature-gates' (GATE=BOOL,...): component not"
                        + " registered: other",
            })
    void gatesThatThereAreNotAreRefused(String gates, String message) throws IOException {
        Path file = Files.writeString(directory.resolve("scenarios.jsonl"), "{}");

        assertThat(replay(file, "--feature-gates=" + gates))
                .isEqualTo(
                        new Outcome(2, List.of(), List.of("evenkeel: " + message + "; see 'evenkeel replay --help'")));
    }

    private static Outcome replay(Path file, String... flags) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Evenkeel.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err, true))
                .execute(Stream.concat(Stream.of("replay", file.toString()), Stream.of(flags))
                        .toArray(String[]::new));
        return new Outcome(
                exitCode,
                out.toString().lines().toList(),
                err.toString().lines().toList());
    }
}
