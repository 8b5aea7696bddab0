package io.evenkeel.lab.cli;

import io.evenkeel.app.cli.Limits;
import io.evenkeel.lab.bench.BenchCase;
import io.evenkeel.lab.bench.FillLimits;
import io.evenkeel.lab.bench.Workload;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options for the pods to be placed, and for the cluster. */
final class BenchCaseOptions {
    private static final int MOST_NODES = 1_000_000;
    private static final int MOST_PODS = 100_000_000;
    private static final int MOST_FILL = 110;

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
            names = "--fill",
            paramLabel = "N",
            description =
                    "Pods a node that are there before measuring: the workload's own, of the same apps, as if placed"
                            + " one by one; of anti and mixed with more apps, of unschedulable basic ones; of affinity N"
                            + " on average (default: ${DEFAULT-VALUE})")
    private int fill;

    @Option(names = "--seed", paramLabel = "S", description = "Random seed for ties (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    BenchCase benchCase() {
        if (nodes > 0 && zones > nodes) {
            throw mistake("--zones " + zones + " is more than --nodes " + nodes);
        }
        BenchCase benchCase = new BenchCase(
                workload,
                between(1, MOST_NODES, "--nodes", nodes),
                between(1, MOST_PODS, "--pods", pods),
                between(1, MOST_NODES, "--zones", zones),
                between(1, MOST_PODS, "--groups", groups.orElseGet(this::usualGroups)),
                between(0, MOST_FILL, "--fill", fill),
                seed);
        FillLimits.objection(benchCase).ifPresent(objection -> {
            throw mistake(objection);
        });
        return benchCase;
    }

    private int usualGroups() {
        return workload.usualGroups(nodes, between(0, MOST_FILL, "--fill", fill) * nodes + pods);
    }

    int warmUpPods(int warmUpPods) {
        return between(0, MOST_PODS, "--warm-up-pods", warmUpPods);
    }

    private int between(int least, int most, String option, int value) {
        return new Limits(spec).between(least, most, option, value);
    }

    ParameterException mistake(String message) {
        return new Limits(spec).mistake(message);
    }
}
