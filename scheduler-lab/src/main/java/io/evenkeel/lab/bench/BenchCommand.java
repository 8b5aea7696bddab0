package io.evenkeel.lab.bench;

import io.evenkeel.app.logging.LoggingOptions;
import io.evenkeel.app.option.Converters.FilePath;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.BenchCaseOptions.WorkloadConverter.ChosenWorkload;
import io.evenkeel.lab.bench.EndToEnd.ColdStart;
import io.evenkeel.lab.bench.GroupBench.GroupCase;
import io.evenkeel.lab.bench.PagesBench.PageReaders;
import io.evenkeel.lab.bench.Suite.SuiteReport;
import io.evenkeel.lab.bench.Suite.SuiteReport.Baseline;
import io.evenkeel.plugins.InTreePlugins;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code evenkeel bench}. */
@Command(
        name = "bench",
        description = {
            "Measures how many pods a second are placed.",
            "Measured is the engine alone, or all from end to end. Prints the figures and, as the last line, all of"
                    + " them as one JSON object."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  evenkeel bench --workload zone-hard --nodes 1000"},
        mixinStandardHelpOptions = true)
public final class BenchCommand implements Callable<Integer> {
    private static final String TEXT = "text";
    private static final String JSON = "json";
    private static final String CSV = "csv";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private BenchCaseOptions options = new BenchCaseOptions();

    @Mixin
    private SuiteOptions suite = new SuiteOptions();

    @Option(
            names = "--warm-up-pods",
            paramLabel = "P",
            description = "Pods placed on a smaller cluster before measuring (default: ${DEFAULT-VALUE})")
    private int warmUpPods = 50_000;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            description = "text; json, which is the last line of text alone; or, of a suite, csv"
                    + " (default: ${DEFAULT-VALUE})")
    private String output = TEXT;

    @Mixin
    private EndToEndOptions whole = new EndToEndOptions();

    /** The command, and the hidden ones that are its API server and its readers of pages. */
    public static List<Object> withItsProcesses() {
        return List.of(new BenchCommand(), new ClusterServer(), new PageReaders());
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!output.equals(TEXT) && !output.equals(JSON) && !output.equals(CSV)) {
            throw options.mistake("--output is text, json or csv, got " + output);
        }
        if (output.equals(CSV) && suite.suite().isEmpty()) {
            throw options.mistake("--output csv is for --suite");
        }
        options.warmUpPods(warmUpPods);
        whole.alone().ifPresent(option -> {
            throw options.mistake(option + " is for --end-to-end");
        });
        if (suite.suite().isPresent()) {
            measure(suite.suite().get());
        } else if (suite.baselineFile().isPresent()) {
            throw options.mistake("--baseline is for --suite");
        } else {
            measureOne();
        }
        return 0;
    }

    private void measureOne() throws IOException, InterruptedException {
        BenchReport report = switch (options.workload()) {
            case Workload own -> measure(options.caseOf(own));
            case ChosenWorkload.Group group -> measure(options.caseOf(group));
            case PerfWorkload reference -> measure(reference);
        };
        print(TEXT, report.table());
        print(output, report.json());
    }

    private void refuseOneCase(String reason) {
        options.refuseAll(reason);
        if (whole.endToEnd()) {
            throw options.mistake(reason + ", without --end-to-end");
        }
    }

    private void measure(Suite kind) {
        refuseOneCase("--suite has cases of its own");
        PluginRegistry registry = InTreePlugins.registry();
        SuiteReport report = new SuiteReport(suite.baseline());
        print(TEXT, report.head());
        print(CSV, SuiteReport.csvHead());
        List<Suite.Case> cases = kind.cases(registry, options.seed());
        List<Suite.Row> rows = Suite.measure(cases, new Bench(registry, warmUpPods), row -> {
            print(TEXT, report.row(row));
            print(CSV, SuiteReport.csv(row));
        });
        if (!output.equals(CSV)) {
            print(output, SuiteReport.json(rows, options.seed()));
        }
    }

    /** A line of this format alone. */
    private void print(String format, String line) {
        if (output.equals(format)) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(line);
            out.flush();
        }
    }

    private BenchReport measure(GroupCase groups) {
        if (whole.endToEnd()) {
            throw options.mistake("--end-to-end is not for " + groups.id());
        }
        return new GroupBench(InTreePlugins.registry(), warmUpPods).run(groups);
    }

    private BenchReport measure(PerfWorkload workload) {
        if (whole.endToEnd()) {
            throw options.mistake("--end-to-end is not for " + workload.id());
        }
        PluginRegistry registry = InTreePlugins.registry();
        return options.caseOf(workload, registry).measured(new Bench(registry, warmUpPods));
    }

    private BenchReport measure(BenchCase benchCase) throws IOException, InterruptedException {
        refuseWhatDoesNotGoTogether(benchCase);
        PluginRegistry registry = InTreePlugins.registry();
        if (HostileBench.measures(benchCase.workload())) {
            return new HostileBench(registry).run(benchCase);
        }
        if (CrowdBench.measures(benchCase.workload())) {
            return new CrowdBench(registry).run(benchCase);
        }
        if (whole.endToEnd()) {
            LoggingOptions.applyWarningsOnly();
            if (whole.pages() > 0) {
                return new PagesBench(whole.pages()).run(benchCase, EndToEnd.configuration());
            }
            return whole.cold() ? ColdStart.run(benchCase) : new EndToEnd(warmUpPods).run(benchCase);
        }
        return new Bench(registry, warmUpPods).run(benchCase);
    }

    private void refuseWhatDoesNotGoTogether(BenchCase benchCase) {
        whole.objection(benchCase).ifPresent(objection -> {
            throw options.mistake(objection);
        });
        Workload workload = benchCase.workload();
        boolean hasItsOwn = HostileBench.measures(workload) || CrowdBench.measures(workload);
        if (benchCase.fill() > 0 && hasItsOwn) {
            throw options.mistake("--fill is not for " + workload.id() + ", which has a cluster of its own");
        }
    }

    /** Options for measuring the whole scheduler. */
    private static final class EndToEndOptions {
        private static final int MOST_PAGES = 200;

        @Option(
                names = "--end-to-end",
                description = "Measure the whole scheduler against an API server in memory, in a process of its own")
        private boolean endToEnd;

        @Option(
                names = "--cold",
                description =
                        "With --end-to-end: a process of 'evenkeel run' from its start, where all pods wait already,"
                                + " and nothing is warmed up")
        private boolean cold;

        @Option(
                names = "--pages",
                paramLabel = "N",
                description = "With --end-to-end: what so many open pages cost, at a thousand pods a second")
        private int pages;

        boolean endToEnd() {
            return endToEnd;
        }

        int pages() {
            return pages;
        }

        /** Implies that it is end to end. */
        boolean cold() {
            return cold && endToEnd;
        }

        /** An option that makes no sense, as it is not end to end. */
        Optional<String> alone() {
            return endToEnd || !cold && pages == 0 ? Optional.empty() : Optional.of(cold ? "--cold" : "--pages");
        }

        /** Why the case cannot be measured end to end, where it is to be. */
        Optional<String> objection(BenchCase benchCase) {
            if (!endToEnd) {
                return Optional.empty();
            }
            if (pages < 0 || pages > MOST_PAGES || pages > 0 && cold) {
                return Optional.of("--pages is 1 to " + MOST_PAGES + ", without --cold");
            }
            Workload workload = benchCase.workload();
            if (workload == Workload.UNSCHEDULABLE) {
                return Optional.of("--end-to-end waits for bindings, which " + workload.id() + " has none of");
            }
            if (HostileBench.measures(workload)) {
                return Optional.of("--end-to-end has no hostile tenants, as of " + workload.id());
            }
            if (CrowdBench.measures(workload)) {
                return Optional.of("--end-to-end has no crowd, as of " + workload.id());
            }
            if (workload.preempts()) {
                return Optional.of("--end-to-end has no preemption, as of " + workload.id());
            }
            return benchCase.fill() > 0
                    ? Optional.of("--end-to-end starts with an empty cluster, without --fill")
                    : Optional.empty();
        }
    }

    /** Options for many cases at once, and for what was measured of them at another time. */
    private static final class SuiteOptions {
        @Option(
                names = "--suite",
                paramLabel = "SUITE",
                arity = "0..1",
                fallbackValue = "usual",
                converter = SuiteConverter.class,
                completionCandidates = SuiteConverter.Names.class,
                description =
                        "Measure a fixed list of cases instead of one workload, and print a table; takes some minutes."
                                + " ${COMPLETION-CANDIDATES}: a bit of everything, or a few workloads at many sizes"
                                + " (--suite alone: ${FALLBACK-VALUE})")
        private Optional<Suite> suite = Optional.empty();

        @Option(
                names = "--baseline",
                paramLabel = "FILE",
                converter = FilePath.class,
                description = "File that a suite printed with --output json, to compare with")
        private Optional<Path> baseline = Optional.empty();

        Optional<Suite> suite() {
            return suite;
        }

        Optional<Path> baselineFile() {
            return baseline;
        }

        Baseline baseline() {
            return baseline.map(Baseline::read).orElse(Baseline.NONE);
        }

        /** Reads a suite's name from the command line. */
        private static final class SuiteConverter implements ITypeConverter<Suite> {
            @Override
            public Suite convert(String value) {
                return Suite.find(value)
                        .orElseThrow(() -> new TypeConversionException(
                                "there is no suite \"" + value + "\"; there are " + String.join(", ", Suite.ids())));
            }

            /** For the help and for completion. */
            static final class Names implements Iterable<String> {
                @Override
                public Iterator<String> iterator() {
                    return Suite.ids().iterator();
                }
            }
        }
    }
}
