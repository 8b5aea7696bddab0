package io.evenkeel.app.metrics;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The process's use of its machine, by the names that all programs in Go have and dashboards of Kubernetes
 * components ask for. What the system does not tell is left out. {@code process_start_time_seconds}, the last of them,
 * comes with the JVM's metrics.
 */
final class ProcessResources implements Instruments {
    private final Path process;

    ProcessResources() {
        this(Path.of("/proc/self"));
    }

    ProcessResources(Path process) {
        this.process = process;
    }

    @Override
    public Stream<MetricSnapshot> read() {
        ProcFile status = ProcFile.read(process.resolve("status"));
        ProcFile limits = ProcFile.read(process.resolve("limits"));
        ProcFile network = ProcFile.read(process.resolve("net/netstat"));
        OptionalDouble cpuNanos = OptionalDouble.empty();
        OptionalDouble openFiles = OptionalDouble.empty();
        OptionalDouble mostFiles = OptionalDouble.empty();
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            cpuNanos = known(system.getProcessCpuTime());
            if (system instanceof UnixOperatingSystemMXBean unix) {
                openFiles = known(unix.getOpenFileDescriptorCount());
                mostFiles = known(unix.getMaxFileDescriptorCount());
            }
        }
        return Stream.of(
                        counter(
                                "process_cpu_seconds",
                                "Total user and system CPU time spent in seconds.",
                                inSeconds(cpuNanos)),
                        gauge("process_open_fds", "Number of open file descriptors.", openFiles),
                        gauge("process_max_fds", "Maximum number of open file descriptors.", mostFiles),
                        gauge(
                                "process_virtual_memory_bytes",
                                "Virtual memory size in bytes.",
                                status.statusBytes("VmSize")),
                        gauge(
                                "process_virtual_memory_max_bytes",
                                "Maximum amount of virtual memory available in bytes.",
                                limits.softLimit("Max address space")),
                        gauge(
                                "process_resident_memory_bytes",
                                "Resident memory size in bytes.",
                                status.statusBytes("VmRSS")),
                        counter(
                                "process_network_receive_bytes",
                                "Number of bytes received by the process over the network.",
                                network.networkCount("IpExt", "InOctets")),
                        counter(
                                "process_network_transmit_bytes",
                                "Number of bytes sent by the process over the network.",
                                network.networkCount("IpExt", "OutOctets")))
                .flatMap(metric -> metric);
    }

    private static OptionalDouble known(long value) {
        return value < 0 ? OptionalDouble.empty() : OptionalDouble.of((double) value);
    }

    private static OptionalDouble inSeconds(OptionalDouble nanos) {
        return nanos.isPresent() ? OptionalDouble.of(nanos.getAsDouble() / 1e9) : nanos;
    }

    private static Stream<MetricSnapshot> gauge(String name, String help, OptionalDouble value) {
        return value.isEmpty() ? Stream.empty() : Stream.of(Gauge.of(name, help, value.getAsDouble()));
    }

    private static Stream<MetricSnapshot> counter(String name, String help, OptionalDouble value) {
        return value.isEmpty() ? Stream.empty() : Stream.of(Family.counted(name, help, value.getAsDouble()));
    }

    /** A file in which Linux tells of a process, as it was when it was read; without lines where there is no such file. */
    private record ProcFile(List<String> lines) {
        /** The number for no limit, as a C program's {@code RLIM_INFINITY}. */
        private static final double UNLIMITED = Math.pow(2, 64) - 1;

        static ProcFile read(Path file) {
            try {
                return new ProcFile(Files.readString(file, StandardCharsets.ISO_8859_1)
                        .lines()
                        .toList());
            } catch (IOException notLinux) {
                return new ProcFile(List.of());
            }
        }

        /** A line of {@code status} such as {@code VmRSS:  1768 kB}. */
        OptionalDouble statusBytes(String name) {
            return beginningWith(name + ":")
                    .map(line ->
                            line.substring(name.length() + 1).replace("kB", "").strip())
                    .mapToDouble(kilobytes -> Double.parseDouble(kilobytes) * 1024)
                    .findFirst();
        }

        /** A line of {@code limits} such as {@code Max address space  unlimited  unlimited  bytes}: the first of the two. */
        OptionalDouble softLimit(String name) {
            return beginningWith(name)
                    .map(line -> line.substring(name.length()).strip().split("\\s+", 2)[0])
                    .mapToDouble(limit -> limit.equals("unlimited") ? UNLIMITED : Double.parseDouble(limit))
                    .findFirst();
        }

        /** {@code net/netstat} is of two lines a protocol: names, then as many numbers. */
        OptionalDouble networkCount(String protocol, String name) {
            List<String[]> rows = beginningWith(protocol + ":")
                    .map(line -> line.split(" ", -1))
                    .toList();
            if (rows.size() == 2) {
                int column = List.of(rows.getFirst()).indexOf(name);
                if (column > 0 && column < rows.getLast().length) {
                    return OptionalDouble.of(Double.parseDouble(rows.getLast()[column]));
                }
            }
            return OptionalDouble.empty();
        }

        private Stream<String> beginningWith(String prefix) {
            return lines.stream().filter(line -> line.startsWith(prefix));
        }
    }
}
