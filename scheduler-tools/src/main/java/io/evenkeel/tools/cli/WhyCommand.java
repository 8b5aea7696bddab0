package io.evenkeel.tools.cli;

import io.evenkeel.app.cli.Version;
import io.evenkeel.app.option.ConfigurationFile;
import io.evenkeel.app.option.Converters.Name;
import io.evenkeel.app.option.FeatureGateOptions;
import io.evenkeel.app.option.PodName;
import io.evenkeel.app.option.ServerOptions;
import io.evenkeel.app.option.ServerRelease;
import io.evenkeel.app.plugin.OutOfTreePlugins;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginOptions;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.SelectorText;
import io.evenkeel.tools.cli.Answering.AskedPods;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.replay.Replay;
import io.evenkeel.tools.replay.ScenarioSource;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.MeantPods;
import io.evenkeel.tools.why.PluginFaults;
import io.evenkeel.tools.why.Supposition;
import io.evenkeel.tools.why.Supposition.SuppositionException;
import io.evenkeel.tools.why.UsualProfiles;
import io.evenkeel.tools.why.Workload;
import java.io.BufferedWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code evenkeel why}. */
@Command(
        name = "why",
        description = {
            "Says why pods find no node, and what would help.",
            "The cause, and the kubectl command of a change that would help: it was tried. -o wide adds how many nodes each"
                    + " plugin turns away, what it counts, the nearest nodes, and all changes. Of a pod of a cluster, whoever schedules it, of all that wait there, or of"
                    + " the pods of scenarios as replay reads them. Nothing is written to the cluster."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  evenkeel why pod shop/web-0",
            "  evenkeel why shop/web-0 --if maxSkew=2",
            "  evenkeel why --all -n shop -w"
        },
        mixinStandardHelpOptions = true)
final class WhyCommand implements Callable<Integer> {
    private static final List<String> OWN_JUDGEMENT =
            List.of("--config", FeatureGateOptions.FLAG, FeatureGateOptions.LEVEL, PluginOptions.FLAG);
    /** Options that scenarios know by themselves, or do not have. */
    private static final List<String> OF_A_CLUSTER = List.of(
            "--watch", "--namespace", "--selector", "--config", "--alone", "--kubeconfig", "--context", "--master");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..2",
            paramLabel = "[NAMESPACE/][TYPE/]NAME",
            description =
                    "The pod that is asked about, or the workload: deploy/web, sts/db, job/x, podgroup/train; the type"
                            + " may stand by itself before the name, and pods alone are all that wait in a namespace")
    private List<String> names = new ArrayList<>();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            converter = Name.class,
            description =
                    "Namespace of what is named (default: that of the kubeconfig's context, else default); with --all,"
                            + " the only one that is looked at")
    private Optional<String> namespace = Optional.empty();

    @Option(names = "--all", description = "All pods that wait, by cause, of all namespaces or that of --namespace")
    private boolean all;

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "All pods that wait, by cause, whatever --namespace says")
    private boolean allNamespaces;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "LABELS",
            converter = Selectors.class,
            description = "Pods with these labels alone, as in app=web,tier in (a,b),!canary")
    private Optional<LabelSelector> selector = Optional.empty();

    @Option(
            names = "--scenario",
            paramLabel = "FILE",
            description = "Scenarios as replay reads them: .jsonl or .jsonl.gz, or - for standard input")
    private Optional<Path> scenario = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            converter = OutputForm.Converter.class,
            completionCandidates = OutputForm.Converter.class,
            description =
                    "text, the cause and a command that helps, wide, all that is counted and would help, json, an answer a"
                            + " line, yaml, name, or custom-columns=NAME:.path,... of the JSON (default: text)")
    private OutputForm output = OutputForm.TEXT;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "KubeSchedulerConfiguration to judge pods of the cluster by (default: the default plugins)")
    private Optional<Path> config = Optional.empty();

    @Option(
            names = "--if",
            paramLabel = "CHANGE",
            converter = Suppositions.class,
            description = "Answer as if this change were made, such as 'node zone-b like node-9', maxSkew=2, or"
                    + " 'without pod web-0'; several may be given (docs/why.md)")
    private List<Supposition> suppositions = new ArrayList<>();

    @Option(
            names = "--alone",
            description =
                    "List the cluster, even where an Evenkeel that runs there would answer. So do --all, --if, --config,"
                            + " --feature-gates and --plugins")
    private boolean alone;

    @Option(
            names = {"-w", "--watch"},
            description = "Print the answer again whenever it changes, until a pod that waited has its node")
    private boolean watch;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private FeatureGateOptions features = new FeatureGateOptions();

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Override
    public Integer call() throws InterruptedException {
        requireOneQuestion();
        PrintWriter out = new PrintWriter(new BufferedWriter(spec.commandLine().getOut(), 1 << 16));
        PrintWriter err = spec.commandLine().getErr();
        OutOfTreePlugins outOfTree = plugins.load();
        if (scenario.isPresent()) {
            boolean allRead = Replay.asking(
                            outOfTree.registry(),
                            features.gates(),
                            report -> output.shown(output.output().of(report, layout())))
                    .run(ScenarioSource.named(scenario.get()), out, problem -> err.println("evenkeel: " + problem));
            outOfTree.warnOfUnused();
            return allRead ? ExitCode.OK : ExitCode.SOFTWARE;
        }
        SchedulerConfiguration configuration = UsualProfiles.ofFileOr(
                config,
                config.map(ConfigurationFile::read),
                UsualProfiles.OF_PODS_THAT_WAIT,
                read -> features.gates(() ->
                        ServerRelease.at(server.over(read.clientConnection().kubeconfig()), new Version().number())),
                outOfTree.registry());
        outOfTree.warnOfUnused();
        ConnectionOptions connection =
                server.over(configuration.clientConnection().kubeconfig());
        try (HttpTransport transport = HttpTransport.open(connection, new Version().number(), ApiObserver.NONE)) {
            List<AskedPods> readings = readings(transport.namespace());
            Answering answering = new Answering(transport, output, layout(), watch, out, err);
            if (!(mayAskRunning() && answering.byRunning(readings))) {
                answering.byListing(
                        new ClusterQuestions(
                                configuration,
                                outOfTree.registry(),
                                config.isPresent() ? Judgement.GIVEN : Judgement.GUESSED,
                                PluginFaults.on(err)),
                        readings);
            }
        }
        return ExitCode.OK;
    }

    private Layout layout() {
        return new Layout(
                spec.usageMessage().width(),
                spec.commandLine().getColorScheme().ansi().enabled(),
                server.forKubectl());
    }

    /** Whether to ask the running scheduler: it judges by its own configuration, and is asked about one pod at a time. */
    private boolean mayAskRunning() {
        ParseResult given = spec.commandLine().getParseResult();
        return !alone && suppositions.isEmpty() && OWN_JUDGEMENT.stream().noneMatch(given::hasMatchedOption);
    }

    private void requireOneQuestion() {
        int questions = (names.isEmpty() ? 0 : 1)
                + (all || allNamespaces || selector.isPresent() ? 1 : 0)
                + (scenario.isPresent() ? 1 : 0);
        boolean arePods = isKindAlone() && scenario.isEmpty();
        if (questions != 1 && !arePods) {
            throw mistake("name a pod, or say --all, or --scenario FILE: one of these");
        }
        if (scenario.isPresent()) {
            OF_A_CLUSTER.stream()
                    .filter(spec.commandLine().getParseResult()::hasMatchedOption)
                    .findFirst()
                    .ifPresent(option -> {
                        throw mistake(option + " goes with pods of a cluster");
                    });
            return;
        }
        if (readings("default").isEmpty()) {
            throw mistake("--if goes with the name of a pod");
        }
    }

    /** Whether no name is given but that of pods as a kind, as in {@code why pods -n shop}. */
    private boolean isKindAlone() {
        return names.size() == 1
                && Workload.kindNamed(names.getFirst()).equals(Optional.of(Workload.POD))
                && !names.getFirst().equals("pod");
    }

    /**
     * What may be meant, most likely first. TYPE/NAME is that of a workload as kubectl has it, or else of a pod in a namespace that is
     * called like a type. Supposed is something of a pod alone.
     *
     * @param usualNamespace where none is said
     */
    private List<AskedPods> readings(String usualNamespace) {
        String here = namespace.orElse(usualNamespace);
        List<AskedPods> readings = new ArrayList<>();
        if (names.isEmpty() || isKindAlone()) {
            boolean isEverywhere = allNamespaces || (all && namespace.isEmpty());
            readings.add(new AskedPods.Several(
                    new MeantPods(isEverywhere ? Optional.empty() : Optional.of(here), selector, Optional.empty())));
        } else if (names.size() > 1) {
            String kind = Workload.kindNamed(names.getFirst())
                    .filter(_ -> names.size() == 2)
                    .orElseThrow(
                            () -> mistake(
                                    '"' + String.join(" ", names)
                                            + "\": one thing can be asked about, as in pod NAMESPACE/NAME or deploy NAME, or all by --all"));
            readings.add(asked(kind, names.getLast(), here));
        } else {
            String name = names.getFirst();
            String[] parts = name.split("/", -1);
            int typeAt = parts.length - 2; // NAMESPACE/TYPE/NAME or TYPE/NAME; else it is the namespace
            Optional<String> kind = typeAt < 0 ? Optional.empty() : Workload.kindNamed(parts[typeAt]);
            kind.map(type -> asked(type, (typeAt > 0 ? parts[0] + "/" : "") + parts[typeAt + 1], here))
                    .ifPresent(readings::add);
            boolean mayBeNamespace = typeAt == 0
                    && PodName.isOne(name)
                    && namespace.filter(given -> !given.equals(parts[0])).isEmpty();
            if (kind.isEmpty() || mayBeNamespace) {
                readings.add(asked(Workload.POD, name, here));
            }
        }
        readings.removeIf(reading -> !suppositions.isEmpty() && !(reading instanceof AskedPods.One));
        return readings;
    }

    private AskedPods asked(String kind, String name, String here) {
        String key = named(named(name).in(here)).in("");
        if (namespace.isPresent() && !key.startsWith(namespace.get() + "/")) {
            throw mistake(key + " is not in namespace " + namespace.get() + ": name one of them");
        }
        int slash = key.indexOf('/');
        return kind.equals(Workload.POD)
                ? new AskedPods.One(key, suppositions)
                : new AskedPods.Several(
                        MeantPods.of(new Workload(kind, key.substring(0, slash), key.substring(slash + 1))));
    }

    private PodName named(String text) {
        return PodName.parse(text, this::mistake);
    }

    private ParameterException mistake(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }

    private static final class Selectors implements ITypeConverter<LabelSelector> {
        @Override
        public LabelSelector convert(String value) {
            return SelectorText.parse(value)
                    .orElseThrow(() -> new TypeConversionException(
                            "expected labels such as app=web,tier in (a,b), got " + Excerpt.quoted(value)));
        }
    }

    private static final class Suppositions implements ITypeConverter<Supposition> {
        @Override
        public Supposition convert(String value) {
            try {
                return Supposition.parse(value)
                        .orElseThrow(() -> new TypeConversionException("expected one of "
                                + String.join("; ", Supposition.forms()) + ", got " + Excerpt.quoted(value)));
            } catch (SuppositionException senseless) {
                throw new TypeConversionException(senseless.getMessage());
            }
        }
    }
}
