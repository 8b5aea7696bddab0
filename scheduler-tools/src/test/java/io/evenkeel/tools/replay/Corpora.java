package io.evenkeel.tools.replay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The conformance corpora. */
final class Corpora {
    private Corpora() {}

    static List<String> themes() {
        return List.of(
                "seeds",
                "spread-hard",
                "spread-soft",
                "spread-default",
                "pod-affinity",
                "node-affinity",
                "taints",
                "resources",
                "ports",
                "images",
                "preemption",
                "volumes",
                "devices",
                "mixed",
                "extended");
    }

    /** The scenarios of a theme. */
    static List<String> lines(String theme) throws IOException {
        return lines(Objects.requireNonNull(Corpora.class.getResourceAsStream("/conformance/" + theme + ".jsonl.gz")));
    }

    /** The names of the corpora in a folder. */
    static List<String> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jsonl.gz"))
                    .sorted()
                    .toList();
        }
    }

    static List<String> lines(Path file) throws IOException {
        return lines(Files.newInputStream(file));
    }

    private static List<String> lines(InputStream zipped) throws IOException {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(zipped), StandardCharsets.UTF_8))) {
            return reader.lines().filter(line -> !line.isBlank()).toList();
        }
    }
}
