package io.evenkeel.app.cli;

import io.evenkeel.app.option.FeatureGateOptions;
import io.evenkeel.app.plugin.OutOfTreePlugins;
import io.evenkeel.app.plugin.PluginOptions;
import io.evenkeel.app.replay.AnswerFormat;
import io.evenkeel.app.replay.Replay;
import io.evenkeel.app.replay.ScenarioSource;
import io.evenkeel.app.replay.StepAudit;
import java.io.BufferedWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkeel replay}. */
@Command(
        name = "replay",
        description = {
            "Answers scenarios: a cluster and pods to place.",
            "Scenarios are one JSON object a line; for each, a line is printed with the answer for every pod: nodes"
                    + " filtered and why, scores, the node chosen. A line that makes no sense is reported, the others"
                    + " are answered, and the exit code is 1."
        },
        mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "Scenarios: .jsonl or .jsonl.gz, or - for standard input")
    private Path file = Path.of("");

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            converter = AnswerFormats.class,
            completionCandidates = OutputFormats.Names.class,
            description = "json, an answer a line, or text, for people to read (default: json)")
    private IntFunction<AnswerFormat> output = _ -> AnswerFormat.JSON;

    @Option(
            names = "--assert",
            description = "Audit after every step: recount everything, exit at the first difference")
    private boolean audit;

    @Mixin
    private FeatureGateOptions features = new FeatureGateOptions();

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Override
    public Integer call() {
        PrintWriter out = new PrintWriter(new BufferedWriter(spec.commandLine().getOut(), 1 << 16));
        PrintWriter err = spec.commandLine().getErr();
        OutOfTreePlugins outOfTree = plugins.load();
        AnswerFormat format = output.apply(spec.usageMessage().width());
        boolean all = Replay.placing(
                        outOfTree.registry(), audit ? StepAudit.EACH : StepAudit.NONE, features.gates(), format)
                .run(ScenarioSource.named(file), out, problem -> err.println("evenkeel: " + problem));
        outOfTree.warnOfUnused();
        return all ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
