package io.evenkeel.app.cli;

import io.evenkeel.app.bench.Bench;
import io.evenkeel.app.bench.BenchCase;
import io.evenkeel.app.bench.BenchReport;
import io.evenkeel.app.bench.BenchResult;
import io.evenkeel.app.bench.Workload;
import io.evenkeel.plugins.InTreePlugins;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkeel bench}. */
@Command(
        name = "bench",
        description = "Measures the engine alone: how many pods a second it places, without any API. Prints the figures"
                + " and, as the last line, all of them as one JSON object.",
        mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
    private static final String TEXT = "text";
    private static final String JSON = "json";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--workload",
            required = true,
            paramLabel = "WORKLOAD",
            converter = WorkloadConverter.class,
            completionCandidates = WorkloadConverter.Names.class,
            description = "What pods to place: ${COMPLETION-CANDIDATES}")
    private Workload workload = Workload.BASIC;

    @Option(names = "--nodes", paramLabel = "N", description = "Nodes of the cluster (default: ${DEFAULT-VALUE})")
    private int nodes = 1_000;

    @Option(names = "--pods", paramLabel = "P", description = "Pods to be placed (default: ${DEFAULT-VALUE})")
    private int pods = 1_000;

    @Option(names = "--zones", paramLabel = "Z", description = "Zones of the cluster (default: ${DEFAULT-VALUE})")
    private int zones = BenchCase.USUAL_ZONES;

    @Option(
            names = "--groups",
            paramLabel = "G",
            description = "Distinct apps that the pods are of (default: 10, or as many as let all pods be placed)")
    private Optional<Integer> groups = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Of the choice among equally good nodes (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(
            names = "--warm-up-pods",
            paramLabel = "P",
            description = "Pods placed on a smaller cluster before measuring (default: ${DEFAULT-VALUE})")
    private int warmUpPods = 50_000;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            description = "text or json, which is the last line of text alone (default: ${DEFAULT-VALUE})")
    private String output = TEXT;

    @Override
    public Integer call() {
        if (!output.equals(TEXT) && !output.equals(JSON)) {
            throw mistake("--output is text or json, got " + output);
        }
        Bench bench = new Bench(InTreePlugins.registry(), atLeast(0, "--warm-up-pods", warmUpPods));
        BenchResult result = bench.run(benchCase());
        PrintWriter out = spec.commandLine().getOut();
        if (output.equals(TEXT)) {
            out.println(BenchReport.table(result));
        }
        out.println(BenchReport.json(result));
        out.flush();
        return 0;
    }

    private BenchCase benchCase() {
        if (nodes > 0 && zones > nodes) {
            throw mistake("--zones " + zones + " is more than --nodes " + nodes);
        }
        return new BenchCase(
                workload,
                atLeast(1, "--nodes", nodes),
                atLeast(1, "--pods", pods),
                atLeast(1, "--zones", zones),
                atLeast(1, "--groups", groups.orElseGet(() -> workload.usualGroups(nodes, pods))),
                seed);
    }

    private int atLeast(int least, String option, int value) {
        if (value < least) {
            throw mistake(option + " must be at least " + least + ", got " + value);
        }
        return value;
    }

    private ParameterException mistake(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
