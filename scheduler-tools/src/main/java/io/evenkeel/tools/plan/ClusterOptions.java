package io.evenkeel.tools.plan;

import io.evenkeel.app.cli.ClusterListing;
import io.evenkeel.app.option.ConfigurationFile;
import io.evenkeel.app.option.FeatureGateOptions;
import io.evenkeel.app.option.ServerRelease;
import io.evenkeel.app.plugin.OutOfTreePlugins;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginOptions;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.tools.dump.SourceOptions;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.replay.Replay;
import io.evenkeel.tools.replay.ScenarioCluster;
import io.evenkeel.tools.replay.ScenarioSource;
import io.evenkeel.tools.why.UsualProfiles;
import io.evenkeel.whatif.ClusterSnapshot;
import java.io.BufferedWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What commands that plan share: which clusters they are asked about, by which configuration pods are judged, and how the answer is written. */
public final class ClusterOptions {
    /** Kinds that say what protects pods and to whom they belong, whatever plugins read. */
    private static final List<Kind<?>> ALWAYS = List.of(
            Kinds.NODE, Kinds.POD, Kinds.NAMESPACE, Kinds.POD_DISRUPTION_BUDGET, Kinds.REPLICA_SET, Kinds.STATEFUL_SET);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private SourceOptions source = new SourceOptions();

    @Option(
            names = "--scenario",
            paramLabel = "FILE",
            description =
                    "Scenarios, as replay takes them, in place of a cluster: the nodes, bound pods and other objects of"
                            + " each are one, and an answer a line is given; - for standard input")
    private Optional<Path> scenario = Optional.empty();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "KubeSchedulerConfiguration to judge pods by (default: the default plugins; a scenario's own)")
    private Optional<Path> config = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            converter = Output.JsonOrText.class,
            completionCandidates = Output.JsonOrText.class,
            description = "text, for people to read, or json, a line a cluster (default: text)")
    private Output output = Output.TEXT;

    @Mixin
    private FeatureGateOptions features = new FeatureGateOptions();

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    /** Prints the answer about each of the clusters. Returns the exit code. */
    public int answer(Function<ScenarioCluster, Report> question) throws InterruptedException {
        if (source.named() + (scenario.isPresent() ? 1 : 0) > 1) {
            throw new ParameterException(spec.commandLine(), "--from, --dump, --scenario: one of these");
        }
        if (scenario.isPresent() && config.isPresent()) {
            throw new ParameterException(
                    spec.commandLine(), "--config goes with a cluster; a scenario has its own in the field config");
        }
        PrintWriter out = new PrintWriter(new BufferedWriter(spec.commandLine().getOut(), 1 << 16));
        PrintWriter err = spec.commandLine().getErr();
        OutOfTreePlugins outOfTree = plugins.load();
        Layout layout = Layout.of(spec.usageMessage().width());
        Function<ScenarioCluster, String> written = question.andThen(report -> output.of(report, layout));
        boolean all = true;
        if (scenario.isPresent()) {
            all = Replay.telling(outOfTree.registry(), features.gates(), apart(written))
                    .run(ScenarioSource.named(scenario.get()), out, problem -> err.println("evenkeel: " + problem));
        } else {
            out.println(written.apply(cluster(outOfTree.registry(), err)));
            out.flush();
        }
        outOfTree.warnOfUnused();
        return all ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    /** With an empty line between two answers for people. */
    private Function<ScenarioCluster, String> apart(Function<ScenarioCluster, String> written) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        return written.andThen(text -> isFirst.getAndSet(false) || !output.isForPeople() ? text : "\n" + text);
    }

    private ScenarioCluster cluster(PluginRegistry registry, PrintWriter err) throws InterruptedException {
        try (SourceOptions.Source opened = source.open()) {
            SchedulerConfiguration configuration = UsualProfiles.ofFileOr(
                    config,
                    config.map(ConfigurationFile::read),
                    UsualProfiles.OF_A_CLUSTER,
                    _ -> features.gates(() -> opened.cluster().flatMap(ServerRelease::of)),
                    registry);
            Set<Kind<?>> kinds = new LinkedHashSet<>(ALWAYS);
            kinds.addAll(new ClusterSnapshot(configuration, registry).kinds());
            return new ScenarioCluster(
                    "cluster",
                    configuration,
                    registry,
                    opened.objects(Kinds.of(kinds), ClusterListing.warningsTo(err)));
        }
    }
}
