package io.evenkeel.chart.live;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What was seen of metrics: their names, the labels of each, and the values of each label. */
record Scrape(Map<String, Map<String, Set<String>>> labelsOfMetrics) {
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    static Scrape read(String text) {
        Map<String, Map<String, Set<String>>> metrics = new HashMap<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            if (!sample.matches()) {
                throw new AssertionError("no sample: " + line);
            }
            Map<String, Set<String>> labels = metrics.computeIfAbsent(sample.group(1), name -> new HashMap<>());
            if (sample.group(2) != null) {
                Matcher label = LABEL.matcher(sample.group(2));
                while (label.find()) {
                    labels.computeIfAbsent(label.group(1), name -> new HashSet<>())
                            .add(label.group(2));
                }
            }
        });
        return new Scrape(metrics);
    }

    boolean has(String metric) {
        return labelsOfMetrics.containsKey(metric);
    }

    Set<String> labels(String metric) {
        return labelsOfMetrics.getOrDefault(metric, Map.of()).keySet();
    }

    Set<String> values(String metric, String label) {
        return labelsOfMetrics.getOrDefault(metric, Map.of()).getOrDefault(label, Set.of());
    }
}
