package io.evenkeel.lab.cli;

import io.evenkeel.lab.bench.BenchCase;
import io.evenkeel.lab.bench.Workload;
import io.evenkeel.lab.bench.crowd.CrowdBench;
import io.evenkeel.lab.bench.hostile.HostileBench;
import java.util.Optional;
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

    /** Implies that it is end to end. */
    boolean cold() {
        return cold && endToEnd;
    }

    boolean isColdAlone() {
        return cold && !endToEnd;
    }

    /** Why the case cannot be measured end to end, where it is to be. */
    Optional<String> objection(BenchCase benchCase) {
        if (!endToEnd) {
            return Optional.empty();
        }
        Workload workload = benchCase.workload();
        if (workload == Workload.UNSCHEDULABLE) {
            return Optional.of("--end-to-end waits for bindings, which " + workload.id() + " has none of");
        }
        if (HostileBench.measures(workload)) {
            return Optional.of("--end-to-end has no hostile tenants, as of " + workload.id());
        }
        if (CrowdBench.measures(workload)) {
            return Optional.of("--end-to-end has no crowd, as of " + workload.id());
        }
        if (workload.preempts()) {
            return Optional.of("--end-to-end has no preemption, as of " + workload.id());
        }
        return benchCase.fill() > 0
                ? Optional.of("--end-to-end starts with an empty cluster, without --fill")
                : Optional.empty();
    }
}
