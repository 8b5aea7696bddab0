package io.evenkeel.lab.bench;

import com.sun.management.OperatingSystemMXBean;
import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.ClientConnection;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.kube.client.OutageLog;
import io.evenkeel.kube.dispatch.CommandKind;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.evenkeel.lab.bench.ClusterServer.ClusterProcess;
import io.evenkeel.lab.bench.SchedulerProcess.ProcessMemory;
import io.evenkeel.problem.UserProblem;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Runs a workload through the whole scheduler: watches, engine, dispatcher, over HTTPS. First some pods that wait when a
 * cold scheduler starts, then warm-up rounds, then the round that counts; between rounds the pods are deleted.
 *
 * @param warmUpPods how many are scheduled, in whole rounds, before it measures
 */
record EndToEnd(int warmUpPods) {
    private static final int COLD_PODS = 100;
    private static final int MOST_WARM_UP_ROUNDS = 3;
    private static final int CALLS_AT_ONCE = 32;

    BenchReport run(BenchCase benchCase) throws IOException, InterruptedException {
        try (ClusterProcess cluster = ClusterProcess.start(benchCase)) {
            int cold = Math.min(COLD_PODS, benchCase.pods());
            cluster.create(0, cold);
            BoundPods bound = new BoundPods();
            long started = System.nanoTime();
            ConnectionOptions connection = ConnectionOptions.of(Optional.of(cluster.kubeconfig()));
            try (HttpTransport transport = HttpTransport.open(connection, "bench", new OutageLog(ApiObserver.NONE));
                    LiveScheduler scheduler = LiveScheduler.start(
                            configuration(), transport, LiveOptions.usual("bench"), bound.observers())) {
                double firstBinding = (bound.await(1) - started) / 1e9;
                bound.await(cold);
                cluster.delete(0, cold);
                warmUp(cluster, bound, benchCase.pods());
                BenchReport report = measure(cluster, bound, benchCase, firstBinding);
                scheduler.stop(Duration.ofSeconds(10));
                return report;
            }
        }
    }

    private void warmUp(ClusterProcess cluster, BoundPods bound, int pods) throws IOException, InterruptedException {
        int rounds = Math.min(MOST_WARM_UP_ROUNDS, Math.ceilDiv(warmUpPods, pods));
        for (int round = 0; round < rounds; round++) {
            bound.reset();
            cluster.create(0, pods);
            bound.await(pods);
            cluster.delete(0, pods);
        }
    }

    private static BenchReport measure(
            ClusterProcess cluster, BoundPods bound, BenchCase benchCase, double firstBinding)
            throws IOException, InterruptedException {
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        bound.reset();
        System.gc();
        long cpu = process.getProcessCpuTime();
        long start = System.nanoTime();
        cluster.create(0, benchCase.pods());
        long end = bound.await(benchCase.pods());
        double cpuMillisPerPod = (process.getProcessCpuTime() - cpu) / 1e6 / benchCase.pods();
        double podsPerSecond = benchCase.pods() * 1e9 / (end - start);
        double peakMegabytes = ProcessMemory.peakMegabytes();
        return BenchReport.of(benchCase, ", end to end", ", API server in a process of its own")
                .line("pods", "%,d bound", benchCase.pods())
                .line("pods/s", "%,.0f (creation, scheduling, binding, and the watch's word on it)", podsPerSecond)
                .line("processor", "%.3f ms per pod, all threads of the scheduler's process", cpuMillisPerPod)
                .line("peak memory", "%,.0f MB", peakMegabytes)
                .line("first binding", "%.2f s after the start, cold", firstBinding)
                .put("end_to_end", true)
                .put("placed", benchCase.pods())
                .put("pods_per_s", podsPerSecond, 3)
                .put("cpu_ms_per_pod", cpuMillisPerPod, 3)
                .put("cpu_us_per_pod", cpuMillisPerPod * 1e3, 1)
                .put("peak_memory_mb", peakMegabytes, 3)
                .put("first_binding_s", firstBinding, 3)
                .put("seed", benchCase.seed());
    }

    static SchedulerConfiguration configuration() {
        LeaderElection usual = LeaderElection.defaults();
        SchedulerConfiguration defaults = SchedulerConfiguration.defaults();
        ClientConnection client = defaults.clientConnection();
        return defaults.toBuilder()
                .parallelism(CALLS_AT_ONCE)
                .leaderElection(new LeaderElection(
                        false,
                        usual.leaseDuration(),
                        usual.renewDeadline(),
                        usual.retryPeriod(),
                        usual.resourceLock(),
                        usual.resourceName(),
                        usual.resourceNamespace()))
                .clientConnection(new ClientConnection(
                        client.kubeconfig(), client.acceptContentTypes(), client.contentType(), -1, client.burst()))
                .build();
    }

    /** Counts bindings as the dispatcher makes them. */
    private static final class BoundPods implements DispatcherObserver {
        private static final long PATIENCE_MILLIS = 60_000;

        private int count;
        private long last;

        LiveObservers observers() {
            return new LiveObservers(SchedulerObserver.NONE, this, LoopObserver.NONE);
        }

        @Override
        public synchronized void called(CommandKind kind, boolean success, Duration duration) {
            if (kind == CommandKind.BIND && success) {
                count++;
                last = System.nanoTime();
                notifyAll();
            }
        }

        synchronized void reset() {
            count = 0;
        }

        /** When so many pods had been bound since the last reset. */
        synchronized long await(int pods) throws InterruptedException {
            int before = count;
            while (count < pods) {
                wait(PATIENCE_MILLIS);
                if (count == before) {
                    throw new UserProblem("no pod was bound for a minute; " + count + " of " + pods + " are");
                }
                before = count;
            }
            return last;
        }
    }

    /**
     * Starts {@code evenkeel run} where pods wait already, and takes its time and its processor at the first of them, at the
     * 3,000th and at the last: what a rollout gets from a scheduler that has just been started.
     */
    static final class ColdStart {
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
                    String words = scheduler
                            .lastWords()
                            .map(said -> "; it ended: " + said)
                            .orElse("");
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
                    .put("cpu_ms_per_pod", last.cpuMillisPerPod(), 3)
                    .put("cpu_us_per_pod", last.cpuMillisPerPod() * 1e3, 1);
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
}
