package io.evenkeel.lab.bench;

import io.evenkeel.config.Profile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** {@code evenkeel run} in a process of its own, as a user starts it: with the options that the launcher gives it. */
final class SchedulerProcess implements AutoCloseable {
    /** Where the launcher is that has started this process; it says so itself. */
    private static final String LAUNCHER = "EVENKEEL_LAUNCHER";

    /** The defaults, for pods that ask for no scheduler by name, and as many calls a second as it can make. */
    private static final String CONFIGURATION = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            clientConnection: {qps: -1}
            profiles: [{schedulerName: %s}]
            """.formatted(Profile.DEFAULT_SCHEDULER_NAME);

    private static final long PATIENCE_SECONDS = 10;

    private final Process process;
    private final Path configuration;
    private final Path log;
    private final long started;

    private SchedulerProcess(Process process, Path configuration, Path log, long started) {
        this.process = process;
        this.configuration = configuration;
        this.log = log;
        this.started = started;
    }

    static SchedulerProcess start(Path kubeconfig) throws IOException {
        Path log = Files.createTempFile("evenkeel-bench", ".log");
        Path configuration = Files.createTempFile("evenkeel-bench", ".yaml");
        Files.writeString(configuration, CONFIGURATION);
        List<String> command = new ArrayList<>(program());
        command.addAll(List.of(
                "run",
                "--config=" + configuration,
                "--kubeconfig=" + kubeconfig,
                "--bind-address=127.0.0.1",
                "--secure-port=" + freePort()));
        long started = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new SchedulerProcess(process, configuration, log, started);
    }

    /** Without a launcher the same program is started by the JVM's own defaults. */
    private static List<String> program() {
        return Optional.ofNullable(System.getenv(LAUNCHER)).map(List::of).orElse(ThisProgram.COMMAND);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    double secondsSinceStart() {
        return (System.nanoTime() - started) / 1e9;
    }

    /** Of all its threads, since its start. */
    double processorSeconds() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    OptionalDouble peakMegabytes() {
        return ProcessMemory.peakMegabytes(process.toHandle());
    }

    /** The last that it has said, where it has ended. */
    Optional<String> lastWords() throws IOException {
        List<String> lines = process.isAlive() ? List.of() : Files.readAllLines(log);
        return lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast());
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(configuration);
        Files.deleteIfExists(log);
    }

    /** Evenkeel as it runs here, for another process: the same JVM and the same classes. */
    static final class ThisProgram {
        /** The beginning of the command line. */
        static final List<String> COMMAND = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.evenkeel.app.cli.Evenkeel");

        private ThisProgram() {}
    }

    /** The most memory that a process has had. */
    static final class ProcessMemory {
        private ProcessMemory() {}

        /** Of this one. As Linux counts it; elsewhere what the JVM knows of its own pools. */
        static double peakMegabytes() {
            return peakMegabytes(ProcessHandle.current())
                    .orElseGet(() -> ManagementFactory.getMemoryPoolMXBeans().stream()
                                    .map(MemoryPoolMXBean::getPeakUsage)
                                    .mapToLong(usage -> usage.getUsed())
                                    .sum()
                            / 1048576.0);
        }

        /** Of any, on Linux, while it runs. */
        static OptionalDouble peakMegabytes(ProcessHandle process) {
            try {
                return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                        .filter(line -> line.startsWith("VmHWM:"))
                        .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024.0)
                        .findFirst();
            } catch (IOException notLinux) {
                return OptionalDouble.empty();
            }
        }
    }
}
