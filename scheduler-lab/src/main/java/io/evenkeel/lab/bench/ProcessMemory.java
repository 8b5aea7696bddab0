package io.evenkeel.lab.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/** The most memory that a process has had. */
final class ProcessMemory {
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
