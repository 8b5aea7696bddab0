package io.evenkeel.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.app.metrics.LiveMetrics.ProcessResources;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ProcessResourcesTest {
    /** The kernel counts in hundredths for those who ask, whatever it counts in itself. */
    private static final double TICK_SECONDS = 0.01;

    @TempDir
    Path process;

    @Test
    void whatLinuxTellsIsReadFromItsFiles() throws IOException {
        Files.writeString(process.resolve("status"), "Name:\tjava\nVmSize:\t 4194304 kB\nVmRSS:\t  262144 kB\n");
        Files.writeString(process.resolve("limits"), """
            Limit                     Soft Limit           Hard Limit           Units
            Max address space         8589934592           unlimited            bytes
            """);
        Files.createDirectory(process.resolve("net"));
        Files.writeString(process.resolve("net/netstat"), """
            TcpExt: SyncookiesSent InOctets
            TcpExt: 5 6
            IpExt: InNoRoutes InOctets OutOctets
            IpExt: 0 921829755 239234796
            """);

        assertThat(read(new ProcessResources(process)))
                .containsEntry("process_virtual_memory_bytes", 4294967296.0)
                .containsEntry("process_resident_memory_bytes", 268435456.0)
                .containsEntry("process_virtual_memory_max_bytes", 8589934592.0)
                .containsEntry("process_network_receive_bytes_total", 921829755.0)
                .containsEntry("process_network_transmit_bytes_total", 239234796.0);
    }

    @Test
    void noLimitIsTheLargestNumberAsInGo() throws IOException {
        Files.writeString(process.resolve("limits"), "Max address space         unlimited    unlimited    bytes\n");

        assertThat(read(new ProcessResources(process)))
                .containsEntry("process_virtual_memory_max_bytes", 1.8446744073709552e+19);
    }

    @Test
    void whatASystemDoesNotTellIsLeftOut() {
        assertThat(read(new ProcessResources(process)))
                .containsKey("process_cpu_seconds_total")
                .doesNotContainKeys("process_resident_memory_bytes", "process_network_receive_bytes_total");
    }

    /** What the kernel says before and after encloses it, give or take what the page tables lag behind. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void thisProcessIsMeasuredAsTheKernelDoes() throws IOException {
        double ticksBefore = cpuSeconds();
        Map<String, Double> first = read(new ProcessResources());
        Map<String, Double> second = read(new ProcessResources());
        double ticksAfter = cpuSeconds();

        assertThat(first.get("process_cpu_seconds_total"))
                .isGreaterThanOrEqualTo(ticksBefore - TICK_SECONDS)
                .isLessThanOrEqualTo(second.get("process_cpu_seconds_total"));
        assertThat(second.get("process_cpu_seconds_total")).isLessThanOrEqualTo(ticksAfter + TICK_SECONDS);
        assertThat(first.get("process_resident_memory_bytes"))
                .isGreaterThan(1024 * 1024)
                .isLessThan(first.get("process_virtual_memory_bytes"));
        assertThat(first.get("process_open_fds"))
                .isCloseTo((double) openFiles(), within(32.0))
                .isLessThanOrEqualTo(first.get("process_max_fds"));
    }

    private static double cpuSeconds() throws IOException {
        // after the name in brackets, which may hold blanks, user and system time are the 12th and 13th word
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(words[11]) + Long.parseLong(words[12])) * TICK_SECONDS;
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private static Map<String, Double> read(ProcessResources resources) {
        Map<String, Double> values = new TreeMap<>();
        resources.read().forEach(metric -> values.put(nameOf(metric), valueOf(metric)));
        return values;
    }

    private static String nameOf(MetricSnapshot metric) {
        String name = metric.getMetadata().getPrometheusName();
        return metric instanceof CounterSnapshot ? name + "_total" : name;
    }

    private static double valueOf(MetricSnapshot metric) {
        return switch (metric) {
            case CounterSnapshot counter -> counter.getDataPoints().getFirst().getValue();
            case GaugeSnapshot gauge -> gauge.getDataPoints().getFirst().getValue();
            default -> throw new AssertionError(metric);
        };
    }
}
