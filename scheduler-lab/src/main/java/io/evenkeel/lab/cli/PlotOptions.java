package io.evenkeel.lab.cli;

import io.evenkeel.app.option.FilePath;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for drawing what was measured at another time. */
final class PlotOptions {
    @Option(
            names = "--plot",
            paramLabel = "FILE",
            converter = FilePath.class,
            description = "Measure nothing: draw what a suite printed with --output json, as SVG files named after FILE"
                    + " and what they show (by workload, by nodes, by pods)")
    private Optional<Path> measured = Optional.empty();

    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            converter = FilePath.class,
            description = "Where --plot writes to; made if it is not there (default: the working directory)")
    private Optional<Path> directory = Optional.empty();

    /** What is to be drawn. */
    Optional<Path> measured() {
        return measured;
    }

    Path directory() {
        return directory.orElse(Path.of(""));
    }

    boolean namesDirectory() {
        return directory.isPresent();
    }
}
