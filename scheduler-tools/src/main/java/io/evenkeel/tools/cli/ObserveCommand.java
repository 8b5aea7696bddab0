package io.evenkeel.tools.cli;

import io.evenkeel.app.cli.ClusterListing;
import io.evenkeel.app.cli.FlagValues;
import io.evenkeel.app.cli.Version;
import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.Times;
import io.evenkeel.app.http.serve.ServingOptions;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveService;
import io.evenkeel.app.logging.LoggingOptions;
import io.evenkeel.app.metrics.MetricsOptions;
import io.evenkeel.app.option.ConfigurationFile;
import io.evenkeel.app.option.Converters.TimeSpan;
import io.evenkeel.app.option.FeatureGateOptions;
import io.evenkeel.app.option.GoFlags;
import io.evenkeel.app.option.ServerOptions;
import io.evenkeel.app.option.ServerRelease;
import io.evenkeel.app.plugin.OutOfTreePlugins;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginOptions;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.tools.dump.CacheDump;
import io.evenkeel.tools.observe.ClusterOnce;
import io.evenkeel.tools.observe.SpreadObserver;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.page.Page;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.Questions;
import io.evenkeel.tools.why.UsualProfiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkeel observe}. */
@Command(
        name = "observe",
        description = {
            "Watches how pods are spread, and schedules none.",
            "Of all schedulers: how far each workload's pods are from what its spread constraints ask for, mistakes in these, and what Evenkeel"
                    + " would have made of each pod that another scheduler binds, as metrics and log lines; or, once, as a"
                    + " report. Nothing is written to the cluster: it needs to read, and no more."
        },
        optionListHeading = "Observing",
        abbreviateSynopsis = true,
        preprocessor = GoFlags.class,
        footerHeading = "%nExamples:%n",
        footer = {"  evenkeel observe --once", "  evenkeel observe --insecure-port 10251"},
        mixinStandardHelpOptions = true)
public final class ObserveCommand implements Callable<Integer> {
    private static final int PAGE_PORT = 10_251;

    private static final Set<String> OF_REPORTS = Set.of(
            "--once",
            "--output",
            "--config",
            "--kubeconfig",
            "--context",
            "--master",
            "--plugins",
            FeatureGateOptions.FLAG,
            FeatureGateOptions.LEVEL);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--once", description = "List the cluster once, print what is wrong with its spread, and exit")
    private boolean once;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            converter = Output.JsonOrText.class,
            completionCandidates = Output.JsonOrText.class,
            description = "With --once: json, or text, for people to read (default: text)")
    private Optional<Output> output = Optional.empty();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "KubeSchedulerConfiguration to judge pods by (default: the default plugins)")
    private Optional<Path> config = Optional.empty();

    @Option(
            names = "--settle",
            paramLabel = "DURATION",
            converter = TimeSpan.FromZero.class,
            description = "Time that a spread must stay violated, worse or restored before it is logged (default: 1m)")
    private Duration settle = Times.USUAL_SETTLE;

    @Option(
            names = "--page",
            description = "Serve a page to look at the cluster, at http://127.0.0.1:" + PAGE_PORT
                    + "/page/ unless --insecure-port names another port")
    private boolean page;

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
        if (output.isPresent() && !once) {
            throw new ParameterException(spec.commandLine(), "--output is for the report of --once");
        }
        if (once) {
            refuseWhatHasNoEffectOnce();
        } else {
            logging.apply();
        }
        OutOfTreePlugins outOfTree = plugins.load();
        Optional<String> text = config.map(ConfigurationFile::read);
        String version = new Version().number();
        SchedulerConfiguration configuration = UsualProfiles.ofFileFor(
                server,
                features,
                there -> once ? ServerRelease.at(there, version) : LiveService.releaseAt(there, version),
                config,
                text,
                outOfTree.registry());
        outOfTree.warnOfUnused();
        ConnectionOptions connection =
                server.over(configuration.clientConnection().kubeconfig());
        if (once) {
            report(configuration, connection, outOfTree.registry());
            return ExitCode.OK;
        }
        SpreadObserver observer =
                new SpreadObserver(configuration, new Times(System::nanoTime, InstantSource.system(), settle));
        List<Companion> companions = new ArrayList<>(List.of(observer, CacheDump.of(version)));
        if (page) {
            serving.servePlain(PAGE_PORT);
            Page.Setting setting = new Page.Setting(
                    spec.name(),
                    version,
                    configuration,
                    outOfTree.registry(),
                    config.isPresent() ? Judgement.GIVEN : Judgement.GUESSED,
                    false);
            Questions questions = setting.questions();
            companions.addAll(List.of(questions, new Page(setting, questions)));
        }
        LiveService service = new LiveService(
                configuration,
                connection,
                serving,
                LiveOptions.observing(spec.name(), outOfTree.registry()),
                metrics.shown(),
                version,
                FlagValues.of(spec, configuration),
                () -> companions);
        return service.run(Duration.ZERO, config, text, !features.namesLevel());
    }

    private void refuseWhatHasNoEffectOnce() {
        spec.commandLine().getParseResult().matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !OF_REPORTS.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new ParameterException(spec.commandLine(), name + " has no effect with --once");
                });
    }

    private void report(SchedulerConfiguration configuration, ConnectionOptions connection, PluginRegistry registry)
            throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        ClusterOnce cluster = new ClusterOnce(configuration, registry);
        try (HttpTransport transport = HttpTransport.open(connection, new Version().number(), ApiObserver.NONE)) {
            cluster.tell(ClusterListing.of(
                            cluster.kinds(),
                            transport,
                            ClusterListing.warningsTo(spec.commandLine().getErr()))
                    .objects());
        }
        out.println(output.orElse(Output.TEXT)
                .of(cluster.report(), Layout.of(spec.usageMessage().width())));
        out.flush();
    }
}
