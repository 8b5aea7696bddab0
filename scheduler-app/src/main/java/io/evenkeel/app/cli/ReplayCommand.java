package io.evenkeel.app.cli;

import io.evenkeel.app.replay.Replay;
import io.evenkeel.app.replay.StepCheck;
import io.evenkeel.plugins.InTreePlugins;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenkeel replay}. */
@Command(
        name = "replay",
        description = "Reads scenarios (a cluster and pods to place, one JSON object a line) and prints for each a line"
                + " with the answer for every pod: nodes filtered and why, scores, the node chosen.",
        mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "Scenarios: .jsonl or .jsonl.gz")
    private Path file = Path.of("");

    @Option(names = "--assert", description = "Recount everything after every step and stop at the first difference.")
    private boolean recount;

    @Override
    public Integer call() throws IOException {
        try (PrintStream out = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16),
                false,
                StandardCharsets.UTF_8)) {
            new Replay(InTreePlugins.registry(), recount ? StepCheck.RECOUNT : StepCheck.NONE).run(file, out);
        }
        return 0;
    }
}
