package io.evenkeel.app.metrics;

import io.evenkeel.config.CompatibilityLevel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics of a running kube-scheduler, from a list that was scraped. */
final class Contract {
    private static final Pattern LINE = Pattern.compile("- `(\\w+)` (\\w+)(?: · ([^·]*))?(?: · le (.*))?");
    private static final Pattern LABEL = Pattern.compile("(\\w+) \\([^)]*\\)");

    /** @param bounds empty unless it is a histogram */
    record Metric(String name, String type, Set<String> labels, List<Double> bounds) {}

    private Contract() {}

    static Map<String, Metric> read() {
        Map<String, Metric> metrics = new LinkedHashMap<>();
        Path list = Path.of("../proof/reference", CompatibilityLevel.FIRST.toString(), "metrics.md");
        try {
            Files.readAllLines(list).forEach(line -> {
                Matcher matcher = LINE.matcher(line.replace("· le", " · le").replace("  ·", " ·"));
                if (matcher.matches()) {
                    metrics.put(matcher.group(1), metric(matcher));
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return metrics;
    }

    private static Metric metric(Matcher matcher) {
        String third = matcher.group(3) == null ? "" : matcher.group(3);
        String bounds = third.startsWith("le ") ? third.substring(3) : matcher.group(4) == null ? "" : matcher.group(4);
        Set<String> labels = new TreeSet<>();
        Matcher label = LABEL.matcher(third);
        while (label.find()) {
            labels.add(label.group(1));
        }
        List<Double> numbers = new ArrayList<>();
        Arrays.stream(bounds.split(" "))
                .filter(bound -> !bound.isEmpty())
                .forEach(bound ->
                        numbers.add(bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound)));
        return new Metric(matcher.group(1), matcher.group(2), labels, numbers);
    }
}
