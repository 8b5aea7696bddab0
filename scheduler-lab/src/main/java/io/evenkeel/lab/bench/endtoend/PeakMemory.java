package io.evenkeel.lab.bench.endtoend;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/** The most memory that this process has had. */
final class PeakMemory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private PeakMemory() {}

    /** As Linux counts it; elsewhere what the JVM knows of its own pools. */
    static double megabytes() {
        try {
            return Files.readAllLines(STATUS).stream()
                            .filter(line -> line.startsWith("VmHWM:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .findFirst()
                            .orElseThrow(() -> new IOException("no VmHWM"))
                    / 1024.0;
        } catch (IOException notLinux) {
            return ManagementFactory.getMemoryPoolMXBeans().stream()
                            .map(MemoryPoolMXBean::getPeakUsage)
                            .mapToLong(usage -> usage.getUsed())
                            .sum()
                    / 1048576.0;
        }
    }
}
