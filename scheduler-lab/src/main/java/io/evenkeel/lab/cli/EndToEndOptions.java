package io.evenkeel.lab.cli;

import picocli.CommandLine.Option;

/** Options for measuring the whole scheduler. */
final class EndToEndOptions {
    @Option(
            names = "--end-to-end",
            description = "Measure the whole scheduler against an API server in memory, in a process of its own")
    private boolean endToEnd;

    @Option(
            names = "--cold",
            description = "With --end-to-end: a process of 'evenkeel run' from its start, where all pods wait already,"
                    + " and nothing is warmed up")
    private boolean cold;

    boolean endToEnd() {
        return endToEnd;
    }

    boolean cold() {
        return cold;
    }
}
