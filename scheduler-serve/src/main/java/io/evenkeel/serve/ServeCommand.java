package io.evenkeel.serve;

import io.evenkeel.app.cli.FlagValues;
import io.evenkeel.app.cli.MoreCommands;
import io.evenkeel.app.cli.Version;
import io.evenkeel.app.http.serve.ServingOptions;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveService;
import io.evenkeel.app.logging.LoggingOptions;
import io.evenkeel.app.metrics.MetricsOptions;
import io.evenkeel.app.option.ConfigurationFile;
import io.evenkeel.app.option.FeatureGateOptions;
import io.evenkeel.app.option.GoFlags;
import io.evenkeel.app.option.ServerOptions;
import io.evenkeel.app.option.WhatIfPorts;
import io.evenkeel.app.plugin.OutOfTreePlugins;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginOptions;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.file.BoundedLines;
import io.evenkeel.file.BoundedLines.Line;
import io.evenkeel.file.FileProblem;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.serve.ObjectsOnWire.StepException;
import io.evenkeel.tools.dump.Dump;
import io.evenkeel.tools.observe.WorkloadTable;
import io.evenkeel.tools.replay.ScenarioSource;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.Questions;
import io.evenkeel.tools.why.UsualProfiles;
import io.evenkeel.whatif.ClusterSnapshot;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkeel serve}. */
@Command(
        name = "serve",
        description = {
            "Answers over gRPC what the scheduler would do.",
            "Of a cluster that is watched, or of a dump: which nodes a pod fits on, where pods would go, who would go for them,"
                    + " beside any change. Nothing is written to the cluster: it needs to read, and no more."
        },
        optionListHeading = "Serving what-ifs",
        abbreviateSynopsis = true,
        preprocessor = GoFlags.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  evenkeel serve",
            "  evenkeel serve --dump cluster.json.gz",
            "  evenkeel serve --scenario questions.jsonl"
        },
        mixinStandardHelpOptions = true)
public final class ServeCommand implements Callable<Integer> {
    private static final int PORT_OF_A_DUMP = 10_261;

    private static final Set<String> OF_DUMPS = Set.of(
            "--dump", "--config", "--plugins", "--feature-gates", "--emulated-version", "--insecure-whatif-port");

    private static final Set<String> OF_SCENARIOS =
            Set.of("--scenario", "--plugins", "--feature-gates", "--emulated-version");

    /** In the help, and found by its name. */
    public static final class Commands implements MoreCommands {
        @Override
        public List<Object> commands() {
            return List.of(new ServeCommand());
        }
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "KubeSchedulerConfiguration to judge pods by (default: the default plugins)")
    private Optional<Path> config = Optional.empty();

    @Option(
            names = "--dump",
            paramLabel = "FILE",
            description = "A dump, or what kubectl get -o json prints, in place of a cluster; .gz too. It is served on"
                    + " 127.0.0.1:" + PORT_OF_A_DUMP + ", unless --insecure-whatif-port names another port")
    private Optional<Path> dump = Optional.empty();

    @Option(
            names = "--scenario",
            paramLabel = "FILE",
            description =
                    "Scenarios, as replay takes them, with the steps of a session in \"questions\": answers them, a line"
                            + " each, and serves nothing; - for standard input")
    private Optional<Path> scenario = Optional.empty();

    @Mixin
    private WhatIfPorts ports = new WhatIfPorts();

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private FeatureGateOptions features = new FeatureGateOptions();

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Mixin
    private ServingOptions serving = new ServingOptions();

    @Mixin
    private MetricsOptions metrics = new MetricsOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (scenario.isPresent()) {
            refuseAllBut(OF_SCENARIOS, "--scenario");
            return answer(scenario.get());
        }
        if (dump.isPresent()) {
            refuseAllBut(OF_DUMPS, "--dump");
            if (ports.plain() == 0 && spec.commandLine().getParseResult().hasMatchedOption("--insecure-whatif-port")) {
                throw new ParameterException(
                        spec.commandLine(), "--insecure-whatif-port 0 leaves no port on which --dump is served");
            }
        }
        logging.apply();
        OutOfTreePlugins outOfTree = plugins.load();
        Optional<String> text = config.map(ConfigurationFile::read);
        String version = new Version().number();
        SchedulerConfiguration configuration = UsualProfiles.ofFileFor(
                server,
                features,
                there -> dump.isPresent() ? Optional.empty() : LiveService.releaseAt(there, version),
                config,
                text,
                outOfTree.registry());
        outOfTree.warnOfUnused();
        if (dump.isPresent()) {
            return serve(dump.get(), configuration, outOfTree);
        }
        ConnectionOptions connection =
                server.over(configuration.clientConnection().kubeconfig());
        if (ports.secure() > 0) {
            serving.guardMore();
        }
        Questions questions = new Questions(
                configuration,
                outOfTree.registry(),
                config.isPresent() ? Judgement.GIVEN : Judgement.GUESSED,
                WorkloadTable.spreads(configuration),
                false);
        LiveService service = new LiveService(
                configuration,
                connection,
                serving,
                LiveOptions.observing(spec.name(), outOfTree.registry()),
                metrics.shown(),
                version,
                FlagValues.of(spec, configuration),
                () -> List.of(questions, new WhatIfCompanion(configuration, outOfTree.registry(), questions, ports)));
        return service.run(Duration.ZERO, config, text, !features.namesLevel());
    }

    private void refuseAllBut(Set<String> options, String mode) {
        spec.commandLine().getParseResult().matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !options.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new ParameterException(spec.commandLine(), name + " has no effect with " + mode);
                });
    }

    private int answer(Path file) throws IOException {
        OutOfTreePlugins outOfTree = plugins.load();
        ScenarioQuestions questions = new ScenarioQuestions(outOfTree.registry(), features.gates(), WhatIfLimits.USUAL);
        PrintWriter out = spec.commandLine().getOut();
        boolean all = true;
        int number = 0;
        ScenarioSource source = ScenarioSource.named(file);
        try (BoundedLines lines = source.lines()) {
            for (Optional<Line> line = lines.read(); line.isPresent(); line = lines.read()) {
                number++;
                try {
                    String text = text(line.get());
                    if (!text.isBlank()) {
                        out.println(questions.answer(text));
                    }
                } catch (StepException wrong) {
                    spec.commandLine()
                            .getErr()
                            .println("evenkeel: " + source.name() + ":" + number + ": " + wrong.getMessage());
                    all = false;
                }
            }
        } catch (IOException unreadable) {
            throw new ConfigurationException(FileProblem.reading(file, unreadable));
        }
        out.flush();
        outOfTree.warnOfUnused();
        return all ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static String text(Line line) {
        return switch (line) {
            case Line.Text(String text) -> text;
            case Line.Unusable(String why) -> throw new StepException(why);
        };
    }

    /** Until the process is told to stop. */
    private int serve(Path file, SchedulerConfiguration configuration, OutOfTreePlugins outOfTree)
            throws InterruptedException {
        ClusterSnapshot cluster = new ClusterSnapshot(configuration, outOfTree.registry());
        Dump.read(file, Kinds.of(cluster.kinds())).objects().forEach(cluster::put);
        try (WhatIfServer what = new WhatIfServer(
                new ClusterSource.Fixed(cluster, () -> new ClusterSnapshot(configuration, outOfTree.registry())),
                new ScenarioQuestions(outOfTree.registry(), configuration.featureGates(), WhatIfLimits.USUAL),
                WhatIfLimits.USUAL,
                new WhatIfMetrics())) {
            what.listen(ports.plain(PORT_OF_A_DUMP), Optional.empty());
            new CountDownLatch(1).await();
        }
        return 0;
    }
}
