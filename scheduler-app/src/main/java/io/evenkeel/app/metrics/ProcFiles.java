package io.evenkeel.app.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** What Linux tells of a process in files, as numbers; nothing where there are no such files. */
final class ProcFiles {
    /** What a limit that is none counts as, as in a C program's {@code RLIM_INFINITY}. */
    private static final double UNLIMITED = Math.pow(2, 64) - 1;

    private final Path process;

    /** @param process such as {@code /proc/self} */
    ProcFiles(Path process) {
        this.process = process;
    }

    /** A line of {@code status} such as {@code VmRSS:  1768 kB}. */
    OptionalDouble statusBytes(String name) {
        return lines("status")
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).replace("kB", "").strip())
                .mapToDouble(kilobytes -> Double.parseDouble(kilobytes) * 1024)
                .findFirst();
    }

    /** A line of {@code limits} such as {@code Max address space  unlimited  unlimited  bytes}: the first of the two. */
    OptionalDouble softLimit(String name) {
        return lines("limits")
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip().split("\\s+", 2)[0])
                .mapToDouble(limit -> limit.equals("unlimited") ? UNLIMITED : Double.parseDouble(limit))
                .findFirst();
    }

    /** {@code net/netstat} is of two lines a protocol: names, then as many numbers. */
    OptionalDouble networkCount(String protocol, String name) {
        List<String[]> lines = lines("net/netstat")
                .filter(line -> line.startsWith(protocol + ":"))
                .map(line -> line.split(" ", -1))
                .toList();
        if (lines.size() == 2) {
            int column = List.of(lines.getFirst()).indexOf(name);
            if (column > 0 && column < lines.getLast().length) {
                return OptionalDouble.of(Double.parseDouble(lines.getLast()[column]));
            }
        }
        return OptionalDouble.empty();
    }

    private Stream<String> lines(String file) {
        try {
            return Files.readString(process.resolve(file), StandardCharsets.ISO_8859_1)
                    .lines();
        } catch (IOException notLinux) {
            return Stream.empty();
        }
    }
}
