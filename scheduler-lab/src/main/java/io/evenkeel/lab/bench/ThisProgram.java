package io.evenkeel.lab.bench;

import java.nio.file.Path;
import java.util.List;

/** Evenkeel as it runs here, for another process: the same JVM and the same classes. */
final class ThisProgram {
    /** The beginning of the command line. */
    static final List<String> COMMAND = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "io.evenkeel.app.cli.Evenkeel");

    private ThisProgram() {}
}
