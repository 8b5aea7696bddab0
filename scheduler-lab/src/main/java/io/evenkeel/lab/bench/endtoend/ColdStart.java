package io.evenkeel.lab.bench.endtoend;

import io.evenkeel.lab.bench.BenchCase;
import io.evenkeel.lab.bench.endtoend.ColdResult.Reached;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Starts {@code evenkeel run} where pods wait already, and takes its time and its processor at the first of them, at the
 * 3,000th and at the last: what a rollout gets from a scheduler that has just been started.
 */
public final class ColdStart {
    private static final int EARLY_PODS = 3_000;

    private ColdStart() {}

    public static ColdResult run(BenchCase benchCase) throws IOException {
        try (ClusterProcess cluster = ClusterProcess.start(benchCase)) {
            cluster.create(0, benchCase.pods());
            try (SchedulerProcess scheduler = SchedulerProcess.start(cluster.kubeconfig())) {
                return new ColdResult(
                        benchCase, follow(cluster, scheduler, benchCase.pods()), scheduler.peakMegabytes());
            }
        }
    }

    private static List<Reached> follow(ClusterProcess cluster, SchedulerProcess scheduler, int pods)
            throws IOException {
        List<Reached> reached = new ArrayList<>();
        int[] marks = IntStream.of(1, EARLY_PODS, pods)
                .filter(mark -> mark <= pods)
                .distinct()
                .toArray();
        for (int mark : marks) {
            try {
                cluster.awaitBound(mark);
            } catch (EndToEndException stuck) {
                String words =
                        scheduler.lastWords().map(said -> "; it ended: " + said).orElse("");
                throw new EndToEndException(stuck.getMessage() + words);
            }
            reached.add(new Reached(mark, scheduler.secondsSinceStart(), scheduler.processorSeconds()));
        }
        return reached;
    }
}
