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
    /** Scheduled by another process before: the server is not to be the one that is cold. */
    private static final int REHEARSED_PODS = 200;

    private ColdStart() {}

    public static ColdResult run(BenchCase benchCase) throws IOException {
        try (ClusterProcess cluster = ClusterProcess.start(benchCase)) {
            int rehearsed = Math.min(REHEARSED_PODS, benchCase.pods());
            cluster.create(0, rehearsed);
            try (SchedulerProcess scheduler = SchedulerProcess.start(cluster.kubeconfig())) {
                follow(cluster, scheduler, 0, rehearsed);
            }
            cluster.delete(0, rehearsed);
            cluster.create(0, benchCase.pods());
            try (SchedulerProcess scheduler = SchedulerProcess.start(cluster.kubeconfig())) {
                List<Reached> reached = follow(cluster, scheduler, rehearsed, benchCase.pods());
                return new ColdResult(benchCase, reached, scheduler.peakMegabytes());
            }
        }
    }

    /** @param before how many pods have been bound by others */
    private static List<Reached> follow(ClusterProcess cluster, SchedulerProcess scheduler, int before, int pods)
            throws IOException {
        List<Reached> reached = new ArrayList<>();
        int[] marks = IntStream.of(1, EARLY_PODS, pods)
                .filter(mark -> mark <= pods)
                .distinct()
                .toArray();
        for (int mark : marks) {
            try {
                cluster.awaitBound(before + mark);
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
