package io.evenkeel.tools.replay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
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
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Objects.requireNonNull(
                        Corpora.class.getResourceAsStream("/conformance/" + theme + ".jsonl.gz"))),
                StandardCharsets.UTF_8))) {
            return reader.lines().filter(line -> !line.isBlank()).toList();
        }
    }
}
