package io.evenkeel.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.app.plugin.BuiltPlugin;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What out-of-tree plugins do to a replay after a node was chosen, and where they fail. */
class ReplayWithPluginTest {
    private static final String SCENARIO = """
        {"name":"s","config":{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",
         "profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":"Tester"}]}}}]},
         "objects":[{"kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"cpu":"4","pods":"1"}}}],
         "pods":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}\
        """.replace("\n", "");

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aPodThatReserveRefusesGoesNowhereAndTakesNoRoom() throws IOException {
        int exitCode = replay("ReservePlugin", """
            public Status reserve(CycleState state, PendingPod pod, NodeInfo node) {
                return Status.unschedulable("no reserve");
            }
            public void unreserve(CycleState state, PendingPod pod, String nodeName) {}
            """);

        assertThat(exitCode).isZero();
        assertThat(out.toString())
                .isEqualToIgnoringNewLines(
                        "{\"name\":\"s\",\"steps\":[{\"pod\":\"default/a\",\"message\":\"0/1 nodes are"
                                + " available: 1 no reserve.\"},{\"pod\":\"default/b\",\"message\":\"0/1 nodes are"
                                + " available: 1 no reserve.\"}]}");
    }

    @Test
    void aPodThatWouldWaitForItsPermitCountsAsAllowedAndThatIsSaid() throws IOException {
        int exitCode = replay("PermitPlugin", """
            public Result permit(CycleState state, PendingPod pod, NodeInfo node) {
                return new Result(new Status(Status.Code.WAIT, java.util.List.of()), java.time.Duration.ofSeconds(9));
            }
            """);

        assertThat(exitCode).isZero();
        assertThat(out.toString()).contains("\"node\":\"n\"", "Too many pods");
        assertThat(err.toString())
                .isEqualToIgnoringNewLines(
                        "evenkeel: " + directory.resolve("s.jsonl") + ":1: warning: pod default/a: Tester"
                                + " makes it wait for its permit; the replay takes it as given");
    }

    @Test
    void aPodThatAFilterFailsOnWaitsAndTheOthersAreAnswered() throws IOException {
        int exitCode = replay("FilterPlugin", FAILING_ON_A);

        assertThat(exitCode).isZero();
        assertThat(out.toString())
                .contains("{\"pod\":\"default/a\",\"message\":\"running Filter plugin \\\"Tester\\\": why\"}")
                .contains("\"node\":\"n\"");
        assertThat(err.toString()).isEmpty();
        Evenkeel.commandLine()
                .setOut(new PrintWriter(out))
                .execute(
                        "why",
                        "--plugins",
                        directory.resolve("plugins").toString(),
                        "--scenario",
                        directory.resolve("s.jsonl").toString(),
                        "-o",
                        "json");
        assertThat(out.toString())
                .contains("{\"version\":1,\"scenario\":\"s\",\"pod\":\"default/a\",\"state\":\"failed\","
                        + "\"message\":\"running Filter plugin \\\"Tester\\\": why\"}");
    }

    private static final String FAILING_ON_A = """
        public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
            if (pod.pod().name().equals("a")) {
                throw new IllegalStateException("why");
            }
            return Status.SUCCESS;
        }
        """;

    private int replay(String point, String body) throws IOException {
        Path plugins = Files.createDirectory(directory.resolve("plugins"));
        Files.setPosixFilePermissions(plugins, PosixFilePermissions.fromString("rwxr-xr-x"));
        BuiltPlugin.forOurs()
                .withFilter("""
                    public String name() { return "Tester"; }
                    public Class<? extends Plugin> type() { return Tester.class; }
                    public Plugin create(PluginContext context) { return new Tester(); }
                    """)
                .source("com.example.Tester", """
                    package com.example;
                    import io.evenkeel.api.*;
                    final class Tester implements %s {
                        public String name() { return "Tester"; }
                        %s
                    }
                    """.formatted(point, body))
                .writeTo(plugins.resolve("tester.jar"));
        Path file = Files.writeString(directory.resolve("s.jsonl"), SCENARIO + "\n");
        return Evenkeel.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err, true))
                .execute("replay", "--plugins", plugins.toString(), file.toString());
    }
}
