package io.evenkeel.lab.cli;

import io.evenkeel.lab.bench.endtoend.ClusterServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The API server's side of {@code evenkeel bench --end-to-end}, which starts it and talks to it. */
@Command(name = "bench-cluster", hidden = true)
final class BenchClusterCommand implements Callable<Integer> {
    @Mixin
    private BenchCaseOptions options = new BenchCaseOptions();

    @Option(names = "--kubeconfig", required = true)
    private Path kubeconfig = Path.of("");

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(options.workload() instanceof ChosenWorkload.Own own)) {
            throw options.mistake("there is no server for " + options.workload().id());
        }
        new ClusterServer(options.caseOf(own.workload()))
                .run(
                        kubeconfig,
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                        new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        return 0;
    }
}
