package io.evenkeel.lab.bench;

import io.evenkeel.problem.UserProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Starts {@code evenkeel run} where pods wait already, and takes its time and its processor at the first of them, at the
 * 3,000th and at the last: what a rollout gets from a scheduler that has just been started.
 */
final class ColdStart {
    private static final int EARLY_PODS = 3_000;
    /** Scheduled by another process before: the server is not to be the one that is cold. */
    private static final int REHEARSED_PODS = 200;

    private ColdStart() {}

    static BenchReport run(BenchCase benchCase) throws IOException {
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
                return report(benchCase, reached, scheduler.peakMegabytes());
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
            } catch (UserProblem stuck) {
                String words =
                        scheduler.lastWords().map(said -> "; it ended: " + said).orElse("");
                throw new UserProblem(stuck.getMessage() + words);
            }
            reached.add(new Reached(mark, scheduler.secondsSinceStart(), scheduler.processorSeconds()));
        }
        return reached;
    }

    private static BenchReport report(BenchCase benchCase, List<Reached> reached, OptionalDouble peakMegabytes) {
        Reached first = reached.getFirst();
        Reached last = reached.getLast();
        double podsPerSecond =
                last.pods() == first.pods() ? 0 : (last.pods() - first.pods()) / (last.seconds() - first.seconds());
        BenchReport report = BenchReport.of(benchCase, ", end to end, cold", ", API server in a process of its own")
                .line("pods", "%,d, all there before the scheduler's process was started", benchCase.pods())
                .put("end_to_end", true)
                .put("cold", true)
                .put("placed", last.pods())
                .put("pods_per_s", podsPerSecond, 3)
                .put("cpu_ms_per_pod", last.cpuMillisPerPod(), 3);
        for (Reached mark : reached) {
            boolean isFirst = mark.pods() == 1;
            if (isFirst) {
                report.line(
                        "first binding",
                        "%.2f s after the start, %.2f s of processor until then",
                        mark.seconds(),
                        mark.cpuSeconds());
            } else {
                report.line(
                        String.format(Locale.ROOT, "%,d", mark.pods()),
                        "%.2f s after the start, %.3f ms of processor per pod, start included",
                        mark.seconds(),
                        mark.cpuMillisPerPod());
            }
            String field = isFirst ? "first_binding" : "bound_" + mark.pods();
            report.put(field + "_s", mark.seconds(), 3).put(field + "_cpu_s", mark.cpuSeconds(), 3);
        }
        report.line("pods/s", "%,.0f from the first to the last", podsPerSecond);
        peakMegabytes.ifPresent(
                most -> report.line("peak memory", "%,.0f MB", most).put("peak_memory_mb", most, 3));
        return report.put("seed", benchCase.seed());
    }

    /**
     * So many pods were bound.
     *
     * @param seconds since the process was started
     * @param cpuSeconds of all its threads, since then
     */
    private record Reached(int pods, double seconds, double cpuSeconds) {
        double cpuMillisPerPod() {
            return cpuSeconds * 1e3 / pods;
        }
    }
}
