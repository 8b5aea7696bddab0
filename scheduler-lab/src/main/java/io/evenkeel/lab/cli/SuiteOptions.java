package io.evenkeel.lab.cli;

import io.evenkeel.app.option.FilePath;
import io.evenkeel.lab.bench.suite.Baseline;
import io.evenkeel.lab.bench.suite.SuiteKind;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for many cases at once, and for what was measured of them at another time. */
final class SuiteOptions {
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
            description = "Compare the suite, or what is drawn, with what the suite printed at another time with"
                    + " --output json")
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
}
