package io.evenkeel.app.cli;

import io.evenkeel.app.cli.RunCommand.IgnoredFlag.OneOf;
import io.evenkeel.app.companion.CompanionProvider;
import io.evenkeel.app.companion.RebalanceOptions;
import io.evenkeel.app.http.serve.ServingOptions;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveService;
import io.evenkeel.app.logging.LoggingOptions;
import io.evenkeel.app.metrics.MetricsOptions;
import io.evenkeel.app.option.ConfigurationFile;
import io.evenkeel.app.option.Converters.ByteSize;
import io.evenkeel.app.option.Converters.GoBool;
import io.evenkeel.app.option.Converters.TimeSpan;
import io.evenkeel.app.option.Converters.WholeNumber;
import io.evenkeel.app.option.FeatureGateOptions;
import io.evenkeel.app.option.GoFlags;
import io.evenkeel.app.option.ServerOptions;
import io.evenkeel.app.option.WhatIfPorts;
import io.evenkeel.app.plugin.OutOfTreePlugins;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginOptions;
import io.evenkeel.app.record.RecordFlags;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.ClientConnection;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.config.file.ConfigurationWriter;
import io.evenkeel.config.file.ElectionCheck;
import io.evenkeel.engine.SchedulerSettings.EngineLimits;
import io.evenkeel.file.FileProblem;
import io.evenkeel.file.SecretFile;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.ProfilesCheck;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.problem.ConfigurationException;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code evenkeel run}. */
@Command(
        name = RunCommand.NAME,
        description = "Schedules the pods that name one of the configured profiles.",
        optionListHeading = "Scheduling",
        abbreviateSynopsis = true,
        preprocessor = GoFlags.class,
        modelTransformer = RunCommand.IgnoredFlags.class,
        footerHeading = "%nExamples:%n",
        footer = {"  evenkeel run --config cfg.yaml", "  evenkeel run --kubeconfig hollow.yaml --dry-run -v 4"},
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    public static final String NAME = "run";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "KubeSchedulerConfiguration (default: one profile of the default plugins, named evenkeel)")
    private Optional<Path> config = Optional.empty();

    @Option(
            names = "--pod-max-in-unschedulable-pods-duration",
            paramLabel = "DURATION",
            converter = TimeSpan.Positive.class,
            description =
                    "Longest time a pod stays unschedulable before it is tried again without an event (default: 5m)")
    private Duration longestUnschedulable = Duration.ofMinutes(5);

    @Option(
            names = "--shutdown-grace",
            paramLabel = "DURATION",
            converter = TimeSpan.FromZero.class,
            description = "Time for bindings in flight to finish at shutdown (default: 20s)")
    private Duration shutdownGrace = Duration.ofSeconds(20);

    @Option(
            names = "--dry-run",
            description = "Decide and log only: nothing is written, decisions are compared with the active scheduler's")
    private boolean dryRun;

    @Option(
            names = "--why-api",
            description = "Serve why.evenkeel.io/v1alpha1: why pods are where they are, and what would help"
                    + " pending ones. Keeps a second copy of the cluster in memory while queried")
    private boolean answersWhy;

    @Option(
            names = "--page",
            description = "Serve a page to look at the cluster, at /page/; a browser needs a token, or --insecure-port")
    private boolean page;

    @Option(
            names = "--rebalance",
            description =
                    "Move pods so that every hard constraint holds: a place is held for each pod's successor before"
                            + " the pod is evicted. Keeps a second copy of the cluster in memory while it leads")
    private boolean rebalances;

    @Option(
            names = "--whatif-api",
            description =
                    "Answer what-ifs over gRPC, on --whatif-port. Keeps a second copy of the cluster in memory while"
                            + " queried")
    private boolean answersWhatIf;

    @Option(
            names = "--assert",
            description = "Audit after every change: recount everything, exit at the first difference")
    private boolean audit;

    @Option(
            names = "--profiling",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Serve /debug/pprof and /debug/flags; --config has its own enableProfiling (default: true)")
    private boolean profiling = true;

    @Option(
            names = "--write-config-to",
            paramLabel = "FILE",
            description = "Write the completed configuration to this file and exit")
    private Optional<Path> writeConfigTo = Optional.empty();

    @Mixin
    private RecordFlags record = new RecordFlags();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Mixin
    private ElectionOptions election = new ElectionOptions();

    @Mixin
    private FeatureGateOptions features = new FeatureGateOptions();

    @Mixin
    private ServingOptions serving = new ServingOptions();

    @Mixin
    private RebalanceOptions rebalance = new RebalanceOptions();

    @Mixin
    private WhatIfPorts whatIf = new WhatIfPorts();

    @Mixin
    private MetricsOptions metrics = new MetricsOptions();

    @Mixin
    private LoggingOptions logging = new LoggingOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (rebalances && dryRun) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--rebalance with --dry-run: `evenkeel rebalance plan` says what would be moved");
        }
        logging.apply();
        IgnoredFlags.tell(spec.commandLine().getParseResult());
        Optional<String> text = config.map(ConfigurationFile::read);
        SchedulerConfiguration written = configuration(text);
        refuseWhatKnowsNoShards(written);
        OutOfTreePlugins outOfTree = plugins.load();
        // What is wrong in the file is told without a server, where none is asked for its release.
        Optional<SchedulerConfiguration> completed = features.namesLevel() || writeConfigTo.isPresent()
                ? Optional.of(checked(text, written, features.gates(), outOfTree))
                : Optional.empty();
        if (writeConfigTo.isPresent()) {
            write(writeConfigTo.get(), new ConfigurationWriter().write(completed.orElseThrow()));
            return 0;
        }
        LiveOptions options = options(outOfTree.registry());
        ConnectionOptions connection = cluster.connection(written.clientConnection());
        try (HttpTransport transport = HttpTransport.open(connection, new Version().number(), ApiObserver.NONE)) {
            transport.connectAhead();
            SchedulerConfiguration configuration = completed.orElseGet(
                    () -> checked(text, written, features.gates(() -> LiveService.releaseOf(transport)), outOfTree));
            return run(transport, connection, text, configuration, options);
        }
    }

    /** These need an engine that has the whole cluster, or an election. */
    private void refuseWhatKnowsNoShards(SchedulerConfiguration configuration) {
        if (configuration.shards().shards() == 1) {
            return;
        }
        Map<String, Boolean> given = new LinkedHashMap<>();
        given.put(
                "--dry-run does not go together with shards: in --config, as no engine decides about all pods", dryRun);
        given.put(
                "--rebalance does not go together with shards: in --config; `evenkeel rebalance run` moves pods beside"
                        + " them",
                rebalances);
        given.put(
                "--record does not go together with shards: in --config, as a record is of one engine that has all",
                record.options(new Version().number()).isPresent());
        given.put(
                "leaderElect: false does not go together with shards: in --config, as Leases say who schedules which",
                !configuration.leaderElection().leaderElect());
        given.forEach((refusal, isGiven) -> {
            if (isGiven) {
                throw new ParameterException(spec.commandLine(), refusal);
            }
        });
    }

    private int run(
            HttpTransport transport,
            ConnectionOptions connection,
            Optional<String> text,
            SchedulerConfiguration configuration,
            LiveOptions options)
            throws IOException, InterruptedException {
        if (answersWhatIf && whatIf.secure() > 0) {
            serving.guardMore();
        }
        LiveService service = new LiveService(
                configuration,
                connection,
                serving,
                options,
                metrics.shown(),
                new Version().number(),
                FlagValues.of(spec, configuration),
                () -> CompanionProvider.all(new CompanionProvider.Setup(
                        configuration,
                        options.plugins(),
                        new Version().number(),
                        answersWhy,
                        page,
                        rebalances ? Optional.of(rebalance.settings()) : Optional.empty(),
                        Optional.of(whatIf).filter(_ -> answersWhatIf))));
        return service.run(transport, shutdownGrace, config, text, !features.namesLevel());
    }

    private SchedulerConfiguration checked(
            Optional<String> text, SchedulerConfiguration written, FeatureGates gates, OutOfTreePlugins outOfTree) {
        SchedulerConfiguration configuration =
                written.toBuilder().featureGates(gates).build();
        text.ifPresent(read ->
                ProfilesCheck.require(config.orElseThrow().toString(), read, configuration, outOfTree.registry()));
        outOfTree.warnOfUnused();
        return configuration;
    }

    private SchedulerConfiguration configuration(Optional<String> text) {
        SchedulerConfiguration configured = text.isPresent()
                ? new ConfigurationReader().read(config.orElseThrow().toString(), text.get())
                : SchedulerConfiguration.defaults().toBuilder()
                        .profiles(List.of(Profile.defaults().named(Profile.OWN_NAME)))
                        .profiling(profiling, IgnoredFlags.isOn(spec, "--contention-profiling"))
                        .build();
        return configured.toBuilder()
                .leaderElection(election.over(configured.leaderElection()))
                .clientConnection(cluster.over(configured.clientConnection()))
                .build();
    }

    private LiveOptions options(PluginRegistry registry) {
        return new LiveOptions(
                dryRun,
                audit,
                longestUnschedulable,
                hostname(),
                registry,
                EngineLimits.USUAL,
                false,
                record.options(new Version().number()));
    }

    private static String hostname() {
        String ofPod = System.getenv("HOSTNAME");
        if (ofPod != null && !ofPod.isEmpty()) {
            return ofPod;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }

    private static void write(Path file, String text) {
        try {
            SecretFile.write(file, text);
        } catch (IOException unwritable) {
            throw new ConfigurationException(FileProblem.writing(file, unwritable));
        }
    }

    /** Flags of the connection to the cluster, by the reference's names where it has them. */
    @Command(optionListHeading = "Cluster")
    private static final class ClusterOptions {
        @Mixin
        private ServerOptions server = new ServerOptions();

        @Option(
                names = "--kube-api-qps",
                paramLabel = "N",
                converter = Rate.class,
                description = "Requests a second, overrides the configuration's; negative for no limit (default: 50)")
        private Optional<Float> qps = Optional.empty();

        @Option(
                names = "--kube-api-burst",
                paramLabel = "N",
                converter = WholeNumber.Burst.class,
                description = "Requests at once, overrides the configuration's (default: 100)")
        private Optional<Integer> burst = Optional.empty();

        /** The configured client connection, with the flags over it. */
        ClientConnection over(ClientConnection configured) {
            return new ClientConnection(
                    configured.kubeconfig(),
                    configured.acceptContentTypes(),
                    configured.contentType(),
                    qps.filter(rate -> rate != 0).orElse(configured.qps()),
                    burst.filter(number -> number != 0).orElse(configured.burst()));
        }

        /** The configured kubeconfig, with the flags over it. */
        ConnectionOptions connection(ClientConnection configured) {
            return server.over(configured.kubeconfig());
        }
    }

    /** Adds every {@link IgnoredFlag} to a command, and logs the ones that were given. */
    static final class IgnoredFlags implements IModelTransformer {
        private static final Logger log = LoggerFactory.getLogger(IgnoredFlags.class);

        @Override
        public CommandSpec transform(CommandSpec command) {
            CommandSpec taken = CommandSpec.create();
            taken.usageMessage().optionListHeading("Flags of kube-scheduler without effect");
            for (IgnoredFlag flag : IgnoredFlag.ALL) {
                taken.addOption(option(flag));
            }
            return command.addMixin("taken", taken);
        }

        private static OptionSpec option(IgnoredFlag flag) {
            OptionSpec.Builder option = OptionSpec.builder(flag.flag())
                    .type(Object.class)
                    .converters(flag.check())
                    .paramLabel(flag.label())
                    .description(flag.why());
            if (!flag.standard().isEmpty()) {
                option.defaultValue(flag.standard());
            }
            return flag.isBool()
                    ? option.arity("0..1").fallbackValue("true").build()
                    : option.arity("1").build();
        }

        /** The value of a boolean flag, given or by default. */
        static boolean isOn(CommandSpec command, String flag) {
            return Boolean.TRUE.equals(command.findOption(flag).getValue());
        }

        static void tell(ParseResult parsed) {
            for (IgnoredFlag flag : IgnoredFlag.ALL) {
                if (parsed.hasMatchedOption(flag.flag())) {
                    tell(flag.flag(), flag.why());
                }
            }
            for (OptionSpec given : parsed.matchedOptionsSet()) {
                String flag = given.longestName();
                if (flag.startsWith("--rebalance-")) {
                    tellWithout("--rebalance", flag, parsed);
                } else if (flag.endsWith("whatif-port")) {
                    tellWithout("--whatif-api", flag, parsed);
                }
            }
        }

        private static void tellWithout(String other, String flag, ParseResult parsed) {
            if (!isOn(parsed.commandSpec(), other)) {
                tell(flag, "it needs " + other);
            }
        }

        private static void tell(String flag, String why) {
            log.atInfo()
                    .setMessage("Flag has no effect")
                    .addKeyValue("flag", flag)
                    .addKeyValue("why", why)
                    .log();
        }
    }

    /** Requests a second; negative for no limit, 0 for the default, as in a client connection. */
    public static final class Rate implements ITypeConverter<Float> {
        private static final BigDecimal LEAST = new BigDecimal("0.001");
        private static final BigDecimal MOST = new BigDecimal("1000000");

        @Override
        public Float convert(String value) {
            BigDecimal rate = parse(value);
            boolean tooSlow = rate.signum() > 0 && rate.compareTo(LEAST) < 0;
            if (tooSlow || rate.compareTo(MOST) > 0) {
                throw new TypeConversionException("must be between " + LEAST + " and " + MOST
                        + ", 0 for the default or negative for no limit, got " + value);
            }
            return rate.signum() < 0 ? -1f : rate.floatValue();
        }

        private static BigDecimal parse(String value) {
            try {
                return new BigDecimal(value);
            } catch (NumberFormatException e) {
                throw new TypeConversionException("expected a number, got \"" + value + "\"");
            }
        }
    }

    /** The flags that override the configuration's leader election, by the reference's names. */
    @Command(optionListHeading = "Leader election")
    static final class ElectionOptions {
        /** kube-scheduler's own Lease: two programs that share it would take turns instead of working side by side. */
        private static final String TAKEN = "kube-scheduler";

        private static final String OURS = "evenkeel";

        private static final Map<String, String> FLAGS = Map.of(
                "leaseDuration", "--leader-elect-lease-duration",
                "renewDeadline", "--leader-elect-renew-deadline",
                "retryPeriod", "--leader-elect-retry-period",
                "resourceName", "--leader-elect-resource-name",
                "resourceNamespace", "--leader-elect-resource-namespace");

        @Spec(Spec.Target.MIXEE)
        private CommandSpec spec = CommandSpec.create();

        @Option(
                names = "--leader-elect",
                arity = "0..1",
                fallbackValue = "true",
                paramLabel = "BOOL",
                description = "Elect a leader among replicas; only the leader schedules (default: as configured, true)")
        private Optional<Boolean> leaderElect = Optional.empty();

        @Option(
                names = "--leader-elect-lease-duration",
                paramLabel = "DURATION",
                converter = TimeSpan.Positive.class,
                description = "Time until a lease that is not renewed is taken over (default: as configured, 15s)")
        private Optional<Duration> leaseDuration = Optional.empty();

        @Option(
                names = "--leader-elect-renew-deadline",
                paramLabel = "DURATION",
                converter = TimeSpan.Positive.class,
                description = "Time that the leader tries to renew before it steps down (default: as configured, 10s)")
        private Optional<Duration> renewDeadline = Optional.empty();

        @Option(
                names = "--leader-elect-retry-period",
                paramLabel = "DURATION",
                converter = TimeSpan.Positive.class,
                description = "Time between attempts to acquire or renew (default: as configured, 2s)")
        private Optional<Duration> retryPeriod = Optional.empty();

        @Option(
                names = "--leader-elect-resource-lock",
                paramLabel = "KIND",
                converter = ResourceLock.class,
                description = "Kind of the lock: leases, and no other (default: as configured, leases)")
        private Optional<String> resourceLock = Optional.empty();

        @Option(
                names = "--leader-elect-resource-name",
                paramLabel = "NAME",
                description = "Name of the Lease (default: as configured, but evenkeel in place of kube-scheduler)")
        private Optional<String> resourceName = Optional.empty();

        @Option(
                names = "--leader-elect-resource-namespace",
                paramLabel = "NAMESPACE",
                description = "Namespace of the Lease (default: as configured, kube-system)")
        private Optional<String> resourceNamespace = Optional.empty();

        /** @throws ParameterException if the flags over the configuration make no election */
        LeaderElection over(LeaderElection configured) {
            String name = configured.resourceName().equals(TAKEN) ? OURS : configured.resourceName();
            LeaderElection election = new LeaderElection(
                    leaderElect.orElse(configured.leaderElect()),
                    leaseDuration.orElse(configured.leaseDuration()),
                    renewDeadline.orElse(configured.renewDeadline()),
                    retryPeriod.orElse(configured.retryPeriod()),
                    resourceLock.orElse(configured.resourceLock()),
                    resourceName.orElse(name),
                    resourceNamespace.orElse(configured.resourceNamespace()));
            ElectionCheck.problems(election, ElectionOptions::flag).stream()
                    .findFirst()
                    .ifPresent(problem -> {
                        throw new ParameterException(
                                spec.commandLine(), flag(problem.field()) + ": " + problem.message());
                    });
            return election;
        }

        static final class ResourceLock implements ITypeConverter<String> {
            private static final String LEASES = "leases";

            @Override
            public String convert(String value) {
                return OneOf.of("no other lock is supported", LEASES).convert(value);
            }
        }

        private static String flag(String field) {
            return FLAGS.getOrDefault(field, "leaderElection." + field);
        }
    }

    /** A flag of kube-scheduler, or of an earlier Evenkeel, that is accepted, and whose value is checked, but has no effect. */
    record IgnoredFlag(String flag, String label, String standard, ITypeConverter<?> check, String why) {
        static final List<IgnoredFlag> ALL = List.of(
                new IgnoredFlag("--allow-unsupported", "BOOL", "false", new GoBool(), "devices are allocated"),
                new IgnoredFlag("--contention-profiling", "BOOL", "true", new GoBool(), "no locks are profiled"),
                new IgnoredFlag(
                        "--kube-api-content-type",
                        "TYPE",
                        "",
                        OneOf.of(
                                "no other encoding is supported",
                                "application/vnd.kubernetes.protobuf",
                                "application/json"),
                        "protobuf is requested, JSON accepted where a server has no protobuf"),
                new IgnoredFlag(
                        "--log-flush-frequency",
                        "DURATION",
                        "5s",
                        new TimeSpan.FromZero(),
                        "each line is written at once"),
                new IgnoredFlag(
                        "--log-text-info-buffer-size", "SIZE", "0", new ByteSize(), "each line is written at once"),
                new IgnoredFlag(
                        "--log-json-info-buffer-size", "SIZE", "0", new ByteSize(), "each line is written at once"),
                new IgnoredFlag(
                        "--log-text-split-stream",
                        "BOOL",
                        "false",
                        OneOf.no("all lines go to standard error"),
                        "all lines go to standard error"),
                new IgnoredFlag(
                        "--log-json-split-stream",
                        "BOOL",
                        "false",
                        OneOf.no("all lines go to standard error"),
                        "all lines go to standard error"),
                new IgnoredFlag("--disable-http2-serving", "BOOL", "false", new GoBool(), "HTTP/1.1 is served"),
                new IgnoredFlag(
                        "--http2-max-streams-per-connection",
                        "N",
                        "0",
                        new WholeNumber.FromZero(),
                        "HTTP/1.1 is served"),
                new IgnoredFlag(
                        "--permit-address-sharing", "BOOL", "false", new GoBool(), "SO_REUSEADDR is always set"),
                new IgnoredFlag(
                        "--permit-port-sharing",
                        "BOOL",
                        "false",
                        OneOf.no("SO_REUSEPORT is never set"),
                        "SO_REUSEPORT is never set"),
                new IgnoredFlag(
                        "--min-compatibility-version",
                        "VERSION",
                        "",
                        new OneOf(
                                "kube-scheduler has no other",
                                Stream.of("", "kube=")
                                        .flatMap(prefix -> before(3, 0).map(prefix::concat))
                                        .toList()),
                        "nothing depends on it"),
                new IgnoredFlag(
                        "--show-hidden-metrics-for-version",
                        "VERSION",
                        "",
                        new OneOf(
                                "only the previous minor version is allowed",
                                Stream.concat(Stream.of(""), before(1, 1)).toList()),
                        "no metrics are hidden"));

        boolean isBool() {
            return label.equals("BOOL");
        }

        /** The releases that are so many minor ones before a level's, from most to least. */
        private static Stream<String> before(int most, int least) {
            return Arrays.stream(CompatibilityLevel.values())
                    .flatMap(level -> IntStream.rangeClosed(-most, -least)
                            .mapToObj(more -> level.major() + "." + (Integer.parseInt(level.minor()) + more)))
                    .distinct();
        }

        /** One of a few texts; any other is refused with a reason. */
        record OneOf(String why, List<String> texts) implements ITypeConverter<String> {
            public static OneOf of(String why, String... texts) {
                return new OneOf(why, List.of(texts));
            }

            /** A boolean that can only be false. */
            public static ITypeConverter<Boolean> no(String why) {
                GoBool bool = new GoBool();
                return value -> {
                    if (bool.convert(value)) {
                        throw new TypeConversionException("cannot be true: " + why);
                    }
                    return false;
                };
            }

            @Override
            public String convert(String value) {
                if (!texts.contains(value)) {
                    throw new TypeConversionException("expected "
                            + texts.stream().filter(text -> !text.isEmpty()).collect(Collectors.joining(" or "))
                            + ", got \""
                            + value + "\": " + why);
                }
                return value;
            }
        }
    }
}
