package io.evenkeel.lab.bench;

/**
 * The figures of a run.
 *
 * @param p50Micros time that half of the pods took at most
 * @param cpuMicros processor time of the engine's thread for a pod: on a busy machine less than the mean
 * @param bytesPerPod allocated by the engine's thread
 */
record Figures(
        int placed,
        int unschedulable,
        double podsPerSecond,
        double meanMicros,
        double p50Micros,
        double p99Micros,
        double maxMicros,
        double cpuMicros,
        long bytesPerPod) {

    static Figures of(PlacementRun run) {
        return new Figures(
                run.placed(),
                run.pods() - run.placed(),
                run.podsPerSecond(),
                run.meanMicros(),
                run.percentileMicros(0.50),
                run.percentileMicros(0.99),
                run.percentileMicros(1.00),
                run.cpuMicros(),
                run.bytesPerPod());
    }

    /** Adds them to what is said of the case. */
    BenchReport addTo(BenchReport report, String aboutTheRate) {
        return report.line("pods/s", "%,.0f (%s)", podsPerSecond, aboutTheRate)
                .line(
                        "µs per pod",
                        "mean %,.1f, p50 %,.1f, p99 %,.1f, max %,.1f; processor %,.1f",
                        meanMicros,
                        p50Micros,
                        p99Micros,
                        maxMicros,
                        cpuMicros)
                .line("allocated", "%,d bytes per pod", bytesPerPod)
                .put("placed", placed)
                .put("unschedulable", unschedulable)
                .put("pods_per_s", podsPerSecond, 1)
                .put("us_per_pod_mean", meanMicros, 1)
                .put("us_per_pod_p50", p50Micros, 1)
                .put("us_per_pod_p99", p99Micros, 1)
                .put("us_per_pod_max", maxMicros, 1)
                .put("cpu_us_per_pod", cpuMicros, 1)
                .put("bytes_per_pod", bytesPerPod);
    }
}
