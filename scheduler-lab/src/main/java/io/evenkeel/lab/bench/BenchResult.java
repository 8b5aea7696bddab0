package io.evenkeel.lab.bench;

/**
 * What was measured.
 *
 * @param coldPodsPerSecond of the first pods after the JVM's start, before anything was compiled
 * @param p50Micros time that half of the pods took at most
 * @param cpuMicros processor time of the engine's thread for a pod: on a busy machine less than the mean
 * @param bytesPerPod allocated by the engine's thread
 */
public record BenchResult(
        BenchCase benchCase,
        int placed,
        int unschedulable,
        double podsPerSecond,
        double coldPodsPerSecond,
        double meanMicros,
        double p50Micros,
        double p99Micros,
        double maxMicros,
        double cpuMicros,
        long bytesPerPod) {

    static BenchResult of(BenchCase benchCase, PlacementRun run, PlacementRun cold) {
        return new BenchResult(
                benchCase,
                run.placed(),
                benchCase.pods() - run.placed(),
                run.podsPerSecond(),
                cold.podsPerSecond(),
                run.meanMicros(),
                run.percentileMicros(0.50),
                run.percentileMicros(0.99),
                run.percentileMicros(1.00),
                run.cpuMicros(),
                run.bytesPerPod());
    }
}
