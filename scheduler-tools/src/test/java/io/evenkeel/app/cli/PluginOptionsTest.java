package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.plugin.BuiltPlugin;
import io.evenkeel.app.plugin.OutOfTreePlugins;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.testing.Java;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --plugins} on the commands that take it. */
@Rotated(3)
class PluginOptionsTest {
    /** Keeps pods off the node that its arguments name. */
    private static final BuiltPlugin AVOID = BuiltPlugin.forOurs()
            .source("com.example.Avoid", """
                package com.example;
                import io.evenkeel.api.*;
                public record Avoid(String node) implements FilterPlugin {
                    public static class Factory implements PluginFactory {
                        public String name() { return "Avoid"; }
                        public Class<? extends Plugin> type() { return Avoid.class; }
                        public Plugin create(PluginContext context) {
                            Object node = context.args().get("node");
                            if (!(node instanceof String name)) {
                                throw new IllegalArgumentException("args.node: expected a name, got " + node);
                            }
                            return new Avoid(name);
                        }
                    }
                    public String name() { return "Avoid"; }
                    public Status filter(CycleState state, PendingPod pod, NodeInfo at) {
                        return at.name().equals(node) ? Status.unresolvable("node(s) had to be avoided") : Status.SUCCESS;
                    }
                }
                """)
            .file("META-INF/services/io.evenkeel.api.PluginFactory", "com.example.Avoid$Factory");

    private static final String CONFIGURATION = """
        {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
         "profiles": [{"schedulerName": "outside", "plugins": {"multiPoint": {"enabled": [{"name": "Avoid"}]}},
                       "pluginConfig": [{"name": "Avoid", "args": {"node": %s}}]}]}\
        """;

    @TempDir
    private Path files;

    private record Outcome(int exitCode, String out, List<String> err) {}

    @Test
    void aReplayAsksThem() throws IOException {
        Outcome outcome =
                execute("replay", "--plugins=" + plugins(), scenario("n1").toString());

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("node(s) had to be avoided").contains("\"node\":\"n2\"");
    }

    @Test
    void thoseThatNoScenarioEnablesAreSaidAtTheEnd() throws IOException {
        Path scenarios = Files.writeString(files.resolve("none.jsonl"), "{\"name\":\"none\"}\n");
        try (LogLines log = new LogLines(OutOfTreePlugins.class)) {
            execute("replay", "--plugins=" + plugins(), scenarios.toString());

            assertThat(log.lines())
                    .last()
                    .asString()
                    .startsWith("WARN Out-of-tree plugin is enabled in no profile and does nothing [name=\"Avoid\"");
        }
    }

    @Test
    void theEnvironmentNamesThemTooAndAFlagGoesOverIt() throws IOException, InterruptedException {
        assertThat(inProcess(plugins(), "replay", scenario("n1").toString())).contains("\"node\":\"n2\"");
        assertThat(inProcess(
                        files.resolve("absent"),
                        "replay",
                        "--plugins=" + plugins(),
                        scenario("n1").toString()))
                .contains("\"node\":\"n2\"");
        assertThat(inProcess(files.resolve("absent"), "replay", scenario("n1").toString()))
                .isEqualTo("evenkeel: EVENKEEL_PLUGINS: " + files.resolve("absent")
                        + " does not exist; see 'evenkeel replay --help'\n");
    }

    @Test
    void aDirectoryThatIsNotThereIsAMistypedCommand() {
        Path absent = files.resolve("absent");
        for (String command : List.of("run", "replay")) {
            assertThat(execute(Stream.of(command, "--plugins=" + absent, command.equals("replay") ? "x" : "--dry-run")))
                    .isEqualTo(new Outcome(
                            2,
                            "",
                            List.of("evenkeel: --plugins: " + absent + " does not exist; see 'evenkeel " + command
                                    + " --help'")));
        }
    }

    @Test
    void aJarThatIsRefusedIsOneLine() throws IOException {
        Path jar =
                Files.writeString(Files.createDirectory(files.resolve("broken")).resolve("p.jar"), "");

        Outcome outcome = execute("run", "--plugins=" + jar.getParent(), "--dry-run");

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err()).singleElement().asString().startsWith("evenkeel: plugin " + jar + ": is no jar: ");
    }

    @Test
    void argumentsThatAPluginDoesNotTakeAreNamedByFileAndProfile() throws IOException {
        Path configuration = Files.writeString(files.resolve("config.yaml"), CONFIGURATION.formatted("7"));

        assertThat(execute("run", "--emulated-version=1.36", "--plugins=" + plugins(), "--config=" + configuration))
                .isEqualTo(new Outcome(
                        1,
                        "",
                        List.of("evenkeel: " + configuration + ":2:55: profiles[0].plugins: Avoid of "
                                + files.resolve("plugins/avoid.jar")
                                + " cannot be made: args.node: expected a name, got 7")));
    }

    private Path plugins() {
        return AVOID.writeTo(files.resolve("plugins/avoid.jar")).getParent();
    }

    private Path scenario(String avoided) throws IOException {
        String configuration = CONFIGURATION.formatted("\"" + avoided + "\"");
        return Files.writeString(
                files.resolve("scenarios.jsonl"), """
                    {"name": "avoid", "config": %s,
                     "objects": [{"kind": "Node", "metadata": {"name": "n1"}, "status": {"allocatable": {"pods": "9"}}},
                                 {"kind": "Node", "metadata": {"name": "n2"}, "status": {"allocatable": {"pods": "9"}}}],
                     "pods": [{"metadata": {"name": "p"}, "spec": {"schedulerName": "outside"}}]}\
                    """.formatted(configuration).replace("\n", " "));
    }

    /** Both outputs, without what is logged. */
    private static String inProcess(Path environment, String... arguments) throws IOException, InterruptedException {
        List<String> command = Stream.concat(
                        Java.command("-cp", System.getProperty("java.class.path"), "io.evenkeel.app.cli.Evenkeel")
                                .stream(),
                        Stream.of(arguments))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("EVENKEEL_PLUGINS", environment.toString());
        Process process = builder.start();
        try (var output = process.inputReader()) {
            StringBuilder lines = new StringBuilder();
            output.lines()
                    .filter(line -> !line.contains("Loaded out-of-tree plugin"))
                    .forEach(line -> lines.append(line).append('\n'));
            process.waitFor();
            return lines.toString();
        }
    }

    private static Outcome execute(String... arguments) {
        return execute(Stream.of(arguments));
    }

    private static Outcome execute(Stream<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Evenkeel.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
        return new Outcome(exitCode, out.toString(), err.toString().lines().toList());
    }
}
