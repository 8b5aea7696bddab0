package io.evenkeel.app.cli;

import io.evenkeel.app.bench.BenchCase;
import io.evenkeel.app.bench.Workload;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which pods on which cluster are to be placed. */
final class BenchCaseOptions {
    @Spec(Spec.Target.MIXEE)
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

    BenchCase benchCase() {
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

    int atLeast(int least, String option, int value) {
        if (value < least) {
            throw mistake(option + " must be at least " + least + ", got " + value);
        }
        return value;
    }

    ParameterException mistake(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
