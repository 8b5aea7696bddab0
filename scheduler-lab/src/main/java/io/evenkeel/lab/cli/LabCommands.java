package io.evenkeel.lab.cli;

import io.evenkeel.app.cli.MoreCommands;
import io.evenkeel.app.logging.LoggingOptions;
import io.evenkeel.lab.bench.ClusterServer;
import io.evenkeel.lab.cli.WorkloadConverter.ChosenWorkload;
import io.evenkeel.lab.demo.Demo;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The laboratory's commands, in the order of the help. */
public final class LabCommands implements MoreCommands {
    @Override
    public List<Object> commands() {
        return List.of(new BenchCommand(), new BenchClusterCommand(), new DemoCommand(), new HollowCommand());
    }

    @Override
    public boolean areLast() {
        return true;
    }

    /** The API server's side of {@code evenkeel bench --end-to-end}, which starts it and talks to it. */
    @Command(name = "bench-cluster", hidden = true)
    private static final class BenchClusterCommand implements Callable<Integer> {
        @Mixin
        private BenchCaseOptions options = new BenchCaseOptions();

        @Option(names = "--kubeconfig", required = true)
        private Path kubeconfig = Path.of("");

        @Override
        public Integer call() throws IOException, InterruptedException {
            if (!(options.workload() instanceof ChosenWorkload.Own own)) {
                throw options.mistake(
                        "there is no server for " + options.workload().id());
            }
            new ClusterServer(options.caseOf(own.workload()))
                    .run(
                            kubeconfig,
                            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                            new PrintWriter(System.out, true, StandardCharsets.UTF_8));
            return 0;
        }
    }

    /** {@code evenkeel demo}. It fails unless every story came out as told. */
    @Command(
            name = "demo",
            description = {
                "Plays stories of topology spread on a cluster in this process.",
                "The stories are those of the Kubernetes documents; the cluster is an API server, nodes that run nothing,"
                        + " controllers, and the real scheduler. Draws what the API shows. Then the cluster stays until"
                        + " Ctrl-C, to be tried by hand. Exits with 1 if a story did not come out as told."
            },
            mixinStandardHelpOptions = true)
    private static final class DemoCommand implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Option(names = "--once", description = "End after the stories")
        private boolean once;

        @Override
        public Integer call() throws IOException, InterruptedException {
            LoggingOptions.applyWarningsOnly();
            CommandLine command = spec.commandLine();
            boolean coloured = command.getColorScheme().ansi().enabled();
            Demo demo = new Demo(command.getOut(), coloured, command.getUsageHelpWidth());
            return once ? demo.playOnce() : demo.playAndStay();
        }
    }
}
