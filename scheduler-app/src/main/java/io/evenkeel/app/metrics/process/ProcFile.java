package io.evenkeel.app.metrics.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** A file in which Linux tells of a process, as it was when it was read; without lines where there is no such file. */
record ProcFile(List<String> lines) {
    /** The number for no limit, as a C program's {@code RLIM_INFINITY}. */
    private static final double UNLIMITED = Math.pow(2, 64) - 1;

    static ProcFile read(Path file) {
        try {
            return new ProcFile(
                    Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList());
        } catch (IOException notLinux) {
            return new ProcFile(List.of());
        }
    }

    /** A line of {@code status} such as {@code VmRSS:  1768 kB}. */
    OptionalDouble statusBytes(String name) {
        return beginningWith(name + ":")
                .map(line -> line.substring(name.length() + 1).replace("kB", "").strip())
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
        List<String[]> rows =
                beginningWith(protocol + ":").map(line -> line.split(" ", -1)).toList();
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
