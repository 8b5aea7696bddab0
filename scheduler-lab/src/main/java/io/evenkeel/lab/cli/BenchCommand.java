package io.evenkeel.lab.cli;

import io.evenkeel.app.logging.LoggingOptions;
import io.evenkeel.app.option.FilePath;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.Bench;
import io.evenkeel.lab.bench.BenchCase;
import io.evenkeel.lab.bench.BenchReport;
import io.evenkeel.lab.bench.BenchResult;
import io.evenkeel.lab.bench.CrowdBench;
import io.evenkeel.lab.bench.CrowdResult;
import io.evenkeel.lab.bench.Figures;
import io.evenkeel.lab.bench.GroupBench;
import io.evenkeel.lab.bench.GroupCase;
import io.evenkeel.lab.bench.GroupResult;
import io.evenkeel.lab.bench.Workload;
import io.evenkeel.lab.bench.endtoend.ColdResult;
import io.evenkeel.lab.bench.endtoend.ColdStart;
import io.evenkeel.lab.bench.endtoend.EndToEnd;
import io.evenkeel.lab.bench.endtoend.EndToEndResult;
import io.evenkeel.lab.bench.hostile.HostileBench;
import io.evenkeel.lab.bench.hostile.HostileResult;
import io.evenkeel.lab.bench.perf.PerfCase;
import io.evenkeel.lab.bench.perf.PerfResult;
import io.evenkeel.lab.bench.perf.PerfScenario;
import io.evenkeel.lab.bench.suite.Baseline;
import io.evenkeel.lab.bench.suite.Suite;
import io.evenkeel.lab.bench.suite.SuiteKind;
import io.evenkeel.lab.bench.suite.SuiteReport;
import io.evenkeel.lab.bench.suite.SuiteRow;
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
        mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
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

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!output.equals(TEXT) && !output.equals(JSON) && !output.equals(CSV)) {
            throw options.mistake("--output is text, json or csv, got " + output);
        }
        if (output.equals(CSV) && suite.suite().isEmpty()) {
            throw options.mistake("--output csv is for --suite");
        }
        options.warmUpPods(warmUpPods);
        if (whole.isColdAlone()) {
            throw options.mistake("--cold is for --end-to-end");
        }
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
        switch (options.workload()) {
            case ChosenWorkload.Own own -> measure(options.caseOf(own.workload()));
            case ChosenWorkload.Group group -> measure(options.caseOf(group));
            case ChosenWorkload.Reference reference -> measure(options.caseOf(reference.workload()));
        }
    }

    private void refuseOneCase(String reason) {
        options.refuseAll(reason);
        if (whole.endToEnd()) {
            throw options.mistake(reason + ", without --end-to-end");
        }
    }

    private void measure(SuiteKind kind) {
        refuseOneCase("--suite has cases of its own");
        PluginRegistry registry = InTreePlugins.registry();
        SuiteReport report = new SuiteReport(suite.baseline());
        print(TEXT, report.head());
        print(CSV, SuiteReport.csvHead());
        List<SuiteRow> rows = new Suite(registry, warmUpPods).run(kind.cases(registry, options.seed()), row -> {
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

    private void measure(GroupCase groups) {
        if (whole.endToEnd()) {
            throw options.mistake("--end-to-end is not for " + groups.id());
        }
        GroupResult result = new GroupBench(InTreePlugins.registry(), warmUpPods).run(groups);
        printBoth(result.table(), result.json());
    }

    private void measure(PerfCase perfCase) {
        if (whole.endToEnd()) {
            throw options.mistake(
                    "--end-to-end is not for " + perfCase.workload().id());
        }
        PluginRegistry registry = InTreePlugins.registry();
        Figures figures = new Bench(registry, warmUpPods).measure(new PerfScenario(perfCase, registry));
        PerfResult result = new PerfResult(perfCase, figures);
        printBoth(result.table(), result.json());
    }

    private void measure(BenchCase benchCase) throws IOException, InterruptedException {
        refuseWhatDoesNotGoTogether(benchCase);
        if (HostileBench.measures(benchCase.workload())) {
            HostileResult result = new HostileBench(InTreePlugins.registry()).run(benchCase);
            printBoth(result.table(), result.json());
        } else if (CrowdBench.measures(benchCase.workload())) {
            CrowdResult result = new CrowdBench(InTreePlugins.registry()).run(benchCase);
            printBoth(result.table(), result.json());
        } else if (whole.cold()) {
            LoggingOptions.applyWarningsOnly();
            ColdResult result = ColdStart.run(benchCase);
            printBoth(result.table(), result.json());
        } else if (whole.endToEnd()) {
            LoggingOptions.applyWarningsOnly();
            EndToEndResult result = new EndToEnd(warmUpPods).run(benchCase);
            printBoth(result.table(), result.json());
        } else {
            BenchResult result = new Bench(InTreePlugins.registry(), warmUpPods).run(benchCase);
            printBoth(BenchReport.table(result), BenchReport.json(result));
        }
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

    private void printBoth(String table, String json) {
        PrintWriter out = spec.commandLine().getOut();
        if (output.equals(TEXT)) {
            out.println(table);
        }
        out.println(json);
        out.flush();
    }

    /** Options for measuring the whole scheduler. */
    private static final class EndToEndOptions {
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

        boolean endToEnd() {
            return endToEnd;
        }

        /** Implies that it is end to end. */
        boolean cold() {
            return cold && endToEnd;
        }

        boolean isColdAlone() {
            return cold && !endToEnd;
        }

        /** Why the case cannot be measured end to end, where it is to be. */
        Optional<String> objection(BenchCase benchCase) {
            if (!endToEnd) {
                return Optional.empty();
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
                converter = SuiteKindConverter.class,
                completionCandidates = SuiteKindConverter.Names.class,
                description =
                        "Measure a fixed list of cases instead of one workload, and print a table; takes some minutes."
                                + " ${COMPLETION-CANDIDATES}: a bit of everything, or a few workloads at many sizes"
                                + " (--suite alone: ${FALLBACK-VALUE})")
        private Optional<SuiteKind> suite = Optional.empty();

        @Option(
                names = "--baseline",
                paramLabel = "FILE",
                converter = FilePath.class,
                description = "File that a suite printed with --output json, to compare with")
        private Optional<Path> baseline = Optional.empty();

        Optional<SuiteKind> suite() {
            return suite;
        }

        Optional<Path> baselineFile() {
            return baseline;
        }

        Baseline baseline() {
            return baseline.map(Baseline::read).orElse(Baseline.NONE);
        }

        /** Reads a suite's name from the command line. */
        private static final class SuiteKindConverter implements ITypeConverter<SuiteKind> {
            @Override
            public SuiteKind convert(String value) {
                return SuiteKind.find(value)
                        .orElseThrow(() -> new TypeConversionException("there is no suite \"" + value + "\"; there are "
                                + String.join(", ", SuiteKind.ids())));
            }

            /** For the help and for completion. */
            static final class Names implements Iterable<String> {
                @Override
                public Iterator<String> iterator() {
                    return SuiteKind.ids().iterator();
                }
            }
        }
    }
}
