package io.evenkeel.lab.cli;

import io.evenkeel.app.option.FilePath;
import io.evenkeel.lab.bench.suite.Baseline;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for many cases at once. */
final class SuiteOptions {
    @Option(
            names = "--suite",
            description =
                    "Measure a fixed list of cases instead of one workload, and print a table; takes some minutes")
    private boolean suite;

    @Option(
            names = "--baseline",
            paramLabel = "FILE",
            converter = FilePath.class,
            description = "Compare the suite with what it printed at another time with --output json")
    private Optional<Path> baseline = Optional.empty();

    boolean isAskedFor() {
        return suite;
    }

    boolean comparesWithAnother() {
        return baseline.isPresent();
    }

    Baseline baseline() {
        return baseline.map(Baseline::read).orElse(Baseline.NONE);
    }
}
