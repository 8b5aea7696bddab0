package io.evenkeel.lab.bench;

import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.kube.client.OutageLog;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.evenkeel.lab.bench.ClusterServer.ClusterProcess;
import io.evenkeel.lab.bench.SchedulerProcess.ThisProgram;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.page.Page;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.Questions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What pages cost the scheduler that they look at: pods come at a rate, in rounds without pages and rounds with, one after the other, so
 * that what else the machine does is in both.
 *
 * @param pages how many are open, each with its stream of decisions and a view that it asks for again when it changes
 */
record PagesBench(int pages) {
    private static final int PODS_A_SECOND = 1_000;
    private static final int AT_ONCE = 20;
    private static final int ROUNDS = 5; // of each kind
    private static final String ENGINE = "engine";

    BenchReport run(BenchCase benchCase, SchedulerConfiguration configuration)
            throws IOException, InterruptedException {
        Times times = new Times();
        Page.Setting setting =
                new Page.Setting("run", "bench", configuration, InTreePlugins.registry(), Judgement.OWN, false);
        Questions questions = setting.questions();
        Page page = new Page(setting, questions);
        try (ClusterProcess cluster = ClusterProcess.start(benchCase);
                HttpTransport transport = HttpTransport.open(
                        ConnectionOptions.of(Optional.of(cluster.kubeconfig())),
                        "bench",
                        new OutageLog(ApiObserver.NONE));
                LiveScheduler scheduler = LiveScheduler.start(
                        configuration,
                        transport,
                        LiveOptions.usual("bench"),
                        new LiveObservers(times, DispatcherObserver.NONE, LoopObserver.NONE)
                                .with(List.of(questions, page)))) {
            Routes routes = new Routes();
            page.addTo(routes);
            try (EndpointServer server = EndpointServer.plain(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    routes,
                    AccessControl.OPEN_TO_ALL,
                    (_, _) -> {})) {
                List<Round> without = new ArrayList<>();
                List<Round> with = new ArrayList<>();
                measured(cluster, times, benchCase.pods()); // to warm up
                try (Readers _ = Readers.start(server, pages)) {
                    measured(cluster, times, benchCase.pods());
                }
                for (int i = 0; i < ROUNDS; i++) {
                    without.add(measured(cluster, times, benchCase.pods()));
                    try (Readers readers = Readers.start(server, pages)) {
                        with.add(measured(cluster, times, benchCase.pods()).readBy(readers.end()));
                    }
                }
                BenchReport report = report(benchCase, without, with);
                page.close();
                scheduler.stop(Duration.ofSeconds(10));
                return report;
            }
        }
    }

    private static Round measured(ClusterProcess cluster, Times times, int pods)
            throws IOException, InterruptedException {
        System.gc();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long engine = engineThread(threads);
        times.reset();
        long cpu = threads.getThreadCpuTime(engine);
        long start = System.nanoTime();
        for (int from = 0; from < pods; from += AT_ONCE) {
            long due = start + from * 1_000_000_000L / PODS_A_SECOND;
            Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
            cluster.create(from, Math.min(pods, from + AT_ONCE));
        }
        times.await(pods);
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuMicros = (threads.getThreadCpuTime(engine) - cpu) / 1e3 / pods;
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        double megabytes = (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
        Round round = times.round(pods / seconds, cpuMicros, megabytes);
        cluster.delete(0, pods);
        return round;
    }

    private static long engineThread(ThreadMXBean threads) {
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(info -> info != null && info.getThreadName().equals(ENGINE))
                .mapToLong(ThreadInfo::getThreadId)
                .findFirst()
                .orElseThrow();
    }

    private BenchReport report(BenchCase benchCase, List<Round> without, List<Round> with) {
        BenchReport report = BenchReport.of(benchCase, ", end to end", ", API server in a process of its own")
                .line("pages", "%,d, in a third process; medians of %d rounds without and with", pages, ROUNDS)
                .put("pages", pages)
                .put("pods_per_s", median(with, Round::podsPerSecond), 1)
                .put("cpu_us_per_pod", median(with, Round::engineMicros), 1);
        row(report, "decision_p50_us", "decision", "p50, µs", without, with, Round::decisionP50);
        row(report, "decision_p99_us", "", "p99, µs", without, with, Round::decisionP99);
        row(report, "bound_p99_ms", "until bound", "p99, ms", without, with, Round::boundP99);
        row(report, "engine_cpu_us_per_pod", "engine", "µs of processor a pod", without, with, Round::engineMicros);
        row(report, "memory_mb", "memory", "MB after a collection", without, with, Round::megabytes);
        row(report, "pods_per_s", "bound", "a second", without, with, Round::podsPerSecond);
        return report.line("pages read", "%,.0f decisions a second each", median(with, Round::decisionsRead))
                .line(
                        "",
                        "%,.1f answers a second, %,.1f MB a second, in all",
                        median(with, Round::answers),
                        median(with, Round::read))
                .put("seed", benchCase.seed());
    }

    private static void row(
            BenchReport report,
            String field,
            String label,
            String unit,
            List<Round> without,
            List<Round> with,
            ToDoubleFunction<Round> of) {
        double before = median(without, of);
        double after = median(with, of);
        report.line(label, "%,10.1f %,10.1f  ×%.2f  %s", before, after, after / before, unit)
                .put(field + "_without", before, 1)
                .put(field + "_with", after, 1);
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> of) {
        return rounds.stream()
                .mapToDouble(of)
                .sorted()
                .skip(rounds.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    /**
     * @param decisionsRead a second, by each page
     * @param answers a second, of all pages
     * @param read megabytes a second, of all pages
     */
    private record Round(
            double decisionP50,
            double decisionP99,
            double boundP99,
            double engineMicros,
            double megabytes,
            double podsPerSecond,
            double decisionsRead,
            double answers,
            double read) {
        Round readBy(double[] figures) {
            return new Round(
                    decisionP50,
                    decisionP99,
                    boundP99,
                    engineMicros,
                    megabytes,
                    podsPerSecond,
                    figures[0],
                    figures[1],
                    figures[2]);
        }
    }

    /** What the engine says of its own times. */
    private static final class Times implements SchedulerObserver {
        private static final long PATIENCE_MILLIS = 60_000;
        private final List<Long> decisions = new ArrayList<>();
        private final List<Long> bindings = new ArrayList<>();

        @Override
        public synchronized void decided(long nanos) {
            decisions.add(nanos);
        }

        @Override
        public synchronized void scheduled(Pod pod, int attempts, long nanosSinceFirstActive) {
            bindings.add(nanosSinceFirstActive);
            notifyAll();
        }

        synchronized void reset() {
            decisions.clear();
            bindings.clear();
        }

        synchronized void await(int pods) throws InterruptedException {
            int before = -1;
            while (bindings.size() < pods) {
                if (bindings.size() == before) {
                    throw new UserProblem("no pod was bound for a minute; " + before + " of " + pods + " are");
                }
                before = bindings.size();
                wait(PATIENCE_MILLIS);
            }
        }

        synchronized Round round(double podsPerSecond, double engineMicros, double megabytes) {
            long[] decided = sorted(decisions);
            return new Round(
                    PlacementRun.percentileMicros(0.50, decided),
                    PlacementRun.percentileMicros(0.99, decided),
                    PlacementRun.percentileMicros(0.99, sorted(bindings)) / 1e3,
                    engineMicros,
                    megabytes,
                    podsPerSecond,
                    0,
                    0,
                    0);
        }

        private static long[] sorted(List<Long> nanos) {
            return nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        }
    }

    /** {@link PageReaders} in a process of its own. */
    private static final class Readers implements AutoCloseable {
        private final Process process;
        private final BufferedReader answers;

        private Readers(Process process) {
            this.process = process;
            answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        static Readers start(EndpointServer server, int pages) throws IOException {
            List<String> command = new ArrayList<>(ThisProgram.COMMAND);
            command.addAll(List.of(
                    "bench-pages",
                    "--api=http://127.0.0.1:" + server.address().getPort() + Page.PATH + "api/",
                    "--pages=" + pages));
            Readers readers = new Readers(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
            readers.line();
            return readers;
        }

        /** Decisions a second of each, answers and megabytes a second of all. */
        double[] end() throws IOException {
            process.getOutputStream().close();
            return Arrays.stream(line().split(" ", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        }

        private String line() throws IOException {
            return Optional.ofNullable(answers.readLine())
                    .orElseThrow(() -> new UserProblem("the process that reads pages has ended"));
        }

        @Override
        public void close() {
            process.destroy();
        }
    }

    /**
     * {@code evenkeel bench-pages}: reads as so many pages do until its input ends. It says when all are open, and at its end how many
     * decisions a second each has read, and how many answers and megabytes a second all have.
     */
    @Command(name = "bench-pages", hidden = true)
    static final class PageReaders implements Callable<Integer> {
        private static final List<String> VIEWS = List.of("cluster", "workloads", "waiting", "groups");
        private static final long BETWEEN_ANSWERS = Duration.ofSeconds(1).toNanos();

        @Option(names = "--api", required = true)
        private URI api = URI.create("");

        @Option(names = "--pages", required = true)
        private int pages;

        private final HttpClient client = HttpClient.newHttpClient();
        private final AtomicLong decisions = new AtomicLong();
        private final AtomicLong answers = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();

        @Override
        public Integer call() throws IOException, InterruptedException {
            try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < pages; i++) {
                    String view = VIEWS.get(i % VIEWS.size());
                    ask(view);
                    var _ = readers.submit(() -> read(view));
                }
                long start = System.nanoTime();
                System.out.println("open");
                while (System.in.read() >= 0) {}
                double seconds = (System.nanoTime() - start) / 1e9;
                System.out.println(decisions.get() / seconds / pages + " " + answers.get() / seconds + " "
                        + bytes.get() / seconds / 1e6);
                System.exit(0); // streams do not end by themselves
            }
            return 0;
        }

        private boolean read(String view) throws IOException, InterruptedException {
            try (InputStream stream = client.send(request("decisions"), BodyHandlers.ofInputStream())
                            .body();
                    BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                long answered = System.nanoTime();
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    bytes.addAndGet(line.length() + 1L);
                    if (line.equals("event: decision")) {
                        decisions.incrementAndGet();
                    } else if (line.equals("event: changed") && System.nanoTime() - answered >= BETWEEN_ANSWERS) {
                        ask(view);
                        answered = System.nanoTime();
                    }
                }
            }
            return true;
        }

        private void ask(String view) throws IOException, InterruptedException {
            bytes.addAndGet(
                    client.send(request(view), BodyHandlers.ofByteArray()).body().length);
            answers.incrementAndGet();
        }

        private HttpRequest request(String path) {
            return HttpRequest.newBuilder(api.resolve(path)).build();
        }
    }
}
