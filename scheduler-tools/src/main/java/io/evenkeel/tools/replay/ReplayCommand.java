package io.evenkeel.tools.replay;

import io.evenkeel.app.cli.Version;
import io.evenkeel.app.option.FeatureGateOptions;
import io.evenkeel.app.option.PodName;
import io.evenkeel.app.plugin.OutOfTreePlugins;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginOptions;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.page.RecordPage;
import io.evenkeel.tools.replay.Replay.StepAudit;
import io.evenkeel.tools.rerun.RecordPlayer;
import io.evenkeel.tools.rerun.RecordReplay;
import io.evenkeel.tools.rerun.RecordReplay.Moment;
import io.evenkeel.tools.why.PluginFaults;
import io.evenkeel.tools.why.PodReport;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code evenkeel replay}. */
@Command(
        name = "replay",
        description = {
            "Answers scenarios, or replays the record of a run.",
            "A scenario is a cluster and pods to place, a JSON object a line; for each, a line is printed with the answer"
                    + " for every pod: nodes filtered and why, scores, the node chosen. A line that makes no sense is"
                    + " reported, the others are answered, and the exit code is 1.",
            "With --record a run is decided once more as run --record has recorded it, and compared: the first decision that"
                    + " is another is named, and the exit code is 1."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  evenkeel replay docs/examples/preemption.jsonl", "  evenkeel replay --record /var/lib/evenkeel"},
        mixinStandardHelpOptions = true)
public final class ReplayCommand implements Callable<Integer> {
    private static final String RECORD = "--record";
    private static final String PAGE = "--page";
    private static final int LAST_PORT = 65_535;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "Scenarios: .jsonl or .jsonl.gz, or - for standard input")
    private Optional<Path> file = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            converter = Output.JsonOrText.class,
            completionCandidates = Output.JsonOrText.class,
            description = "json, an answer a line, or text, for people to read (default: json)")
    private Output output = Output.JSON;

    @Option(
            names = "--assert",
            description = "Audit after every step: recount everything, exit at the first difference")
    private boolean audit;

    @Option(
            names = RECORD,
            paramLabel = "PATH",
            description =
                    "A directory that run --record has written to, of which the newest run is replayed, or one file of it")
    private Optional<Path> record = Optional.empty();

    @Option(
            names = "--at",
            paramLabel = "TIME",
            converter = RecordedMoment.class,
            description =
                    "End of the replay, or the moment to look at first: a time such as 2026-11-25T08:30:00Z or 08:30, UTC of the last day"
                            + " of the record, or a duration from its beginning, such as 90m (default: its end)")
    private Optional<Moment> at = Optional.empty();

    @Option(
            names = "--why",
            paramLabel = "[NAMESPACE/]POD",
            converter = PodName.Converter.class,
            description = "Explain why this pod was on its node then, or on none, and what would have helped")
    private Optional<PodName> why = Optional.empty();

    @Option(names = PAGE, description = "Serve a page to look at the cluster as it was, at any moment of the record")
    private boolean page;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port of the page on loopback, 0 for any free one (default: 0)")
    private int port;

    @Mixin
    private FeatureGateOptions features = new FeatureGateOptions();

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Override
    public Integer call() throws InterruptedException {
        if (!page) {
            refuse("goes with " + PAGE, "--port");
        }
        if (record.isPresent()) {
            if (file.isPresent()) {
                throw new ParameterException(spec.commandLine(), "replay scenarios or a record, not both");
            }
            refuse("goes with scenarios", "--output", "--assert", FeatureGateOptions.FLAG, FeatureGateOptions.LEVEL);
            return page ? look(record.get()) : replayRecord(record.get());
        }
        Path scenarios = file.orElseThrow(
                () -> new ParameterException(spec.commandLine(), "name a file of scenarios, or say --record PATH"));
        refuse("goes with --record", "--at", "--why", PAGE);
        PrintWriter out = new PrintWriter(new BufferedWriter(spec.commandLine().getOut(), 1 << 16));
        PrintWriter err = spec.commandLine().getErr();
        OutOfTreePlugins outOfTree = plugins.load();
        boolean all = Replay.placing(
                        outOfTree.registry(),
                        audit ? StepAudit.EACH : StepAudit.NONE,
                        features.gates(),
                        output.within(spec.usageMessage().width()))
                .run(ScenarioSource.named(scenarios), out, problem -> err.println("evenkeel: " + problem));
        outOfTree.warnOfUnused();
        return all ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private int replayRecord(Path from) {
        OutOfTreePlugins outOfTree = plugins.load();
        PrintWriter err = spec.commandLine().getErr();
        PrintWriter out = spec.commandLine().getOut();
        RecordReplay replay = RecordReplay.run(from, at, outOfTree.registry(), new Version().number());
        replay.remarks().forEach(remark -> err.println("evenkeel: " + Excerpt.oneLine(remark)));
        replay.lines().forEach(out::println);
        if (replay.gap().isPresent()) {
            out.flush();
            throw new UserProblem(replay.gap().get());
        }
        if (why.isPresent()) {
            String pod = why.get().in("default");
            PluginFaults faults = PluginFaults.on(err);
            PodReport report = replay.why(pod, faults)
                    .orElseThrow(() -> new UserProblem(from + ": no pod " + pod
                            + " was on a node then, or waited for one of the recorded profiles"));
            out.println();
            out.println(report.wide(Layout.of(spec.usageMessage().width())));
        }
        out.flush();
        outOfTree.warnOfUnused();
        return replay.isSame() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    /** Until the process is ended. */
    private int look(Path from) throws InterruptedException {
        refuse("has no effect with " + PAGE, "--why");
        if (port < 0 || port > LAST_PORT) {
            throw new ParameterException(spec.commandLine(), "--port must be between 0 and 65535, got " + port);
        }
        OutOfTreePlugins outOfTree = plugins.load();
        PrintWriter err = spec.commandLine().getErr();
        PrintWriter out = spec.commandLine().getOut();
        String version = new Version().number();
        RecordPlayer player = RecordPlayer.open(from, at, outOfTree.registry(), version);
        player.remarks().forEach(remark -> err.println("evenkeel: " + Excerpt.oneLine(remark)));
        outOfTree.warnOfUnused();
        try (RecordPage site = new RecordPage(port, player, version, outOfTree.registry(), PluginFaults.on(err))) {
            out.println("Recorded from " + player.first() + " to " + player.last());
            out.println("Look at it: " + site.address() + "; Ctrl-C ends it");
            out.flush();
            // a signal would make the exit code 130, as if something had gone wrong
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(ExitCode.OK), "shutdown"));
            new CountDownLatch(1).await();
        } catch (IOException taken) {
            throw new UserProblem("--port " + port + ": " + taken.getMessage(), taken);
        }
        return ExitCode.OK;
    }

    private void refuse(String because, String... flags) {
        for (String flag : flags) {
            if (spec.commandLine().getParseResult().hasMatchedOption(flag)) {
                throw new ParameterException(spec.commandLine(), flag + " " + because);
            }
        }
    }

    /** A moment of a record: a time of day, with its date or without, in UTC if not said; or a duration from the beginning. */
    private static final class RecordedMoment implements ITypeConverter<Moment> {
        private static final DateTimeFormatter WRITTEN = new DateTimeFormatterBuilder()
                .parseCaseInsensitive()
                .appendPattern("[uuuu-MM-dd'T']H:mm[:ss]")
                .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                .appendPattern("[XXX]")
                .toFormatter(Locale.ROOT)
                .withResolverStyle(ResolverStyle.STRICT);

        @Override
        public Moment convert(String value) {
            return GoDuration.parse(value)
                    .filter(duration -> !duration.isNegative())
                    .<Moment>map(Moment.After::new)
                    .orElseGet(() -> time(value));
        }

        private static Moment time(String value) {
            try {
                TemporalAccessor time = WRITTEN.parseBest(
                        value.replace(' ', 'T'),
                        OffsetDateTime::from,
                        LocalDateTime::from,
                        OffsetTime::from,
                        LocalTime::from);
                return switch (time) {
                    case OffsetDateTime full -> new Moment.At(full.toInstant());
                    case LocalDateTime inUtc -> new Moment.At(inUtc.toInstant(ZoneOffset.UTC));
                    case OffsetTime elsewhere ->
                        new Moment.OfDay(
                                elsewhere.withOffsetSameInstant(ZoneOffset.UTC).toLocalTime());
                    default -> new Moment.OfDay(LocalTime.from(time));
                };
            } catch (DateTimeParseException neither) {
                throw new TypeConversionException(
                        "expected a time such as 08:30 or 2026-11-25T08:30:00Z, or a duration such as 90m, got "
                                + Excerpt.quoted(value));
            }
        }
    }
}
