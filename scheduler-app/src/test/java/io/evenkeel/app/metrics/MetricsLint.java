package io.evenkeel.app.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules of {@code promtool check metrics}, for metrics of our own; those of the reference keep its names. */
public final class MetricsLint {
    private static final Pattern HEAD = Pattern.compile("# (HELP|TYPE) (evenkeel_\\w+) ?(.*)");
    private static final Pattern SERIES = Pattern.compile("(evenkeel_[\\w:]+)(?:\\{(.*)})? .*");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");
    private static final Set<String> TYPES = Set.of("gauge", "counter", "histogram", "summary");
    private static final Set<String> ABBREVIATIONS =
            Set.of("s", "ms", "us", "ns", "sec", "b", "kb", "mb", "gb", "tb", "pb", "m", "h", "d");
    private static final Pattern NOT_A_BASE_UNIT = Pattern.compile(
            "(pico|nano|micro|milli|centi|deci|deca|hecto|kilo|kibi|mega|mebi|giga|gibi|tera|tebi|peta|pebi)"
                    + "(second|byte|meter|metre|gram|joule|volt|ampere)s?|(minute|hour|day|week|bit|calorie|fahrenheit)s?");

    private MetricsLint() {}

    /** What is wrong in a scrape, a line each; {@code _bucket}, {@code _sum} and {@code _count} are of histograms. */
    public static List<String> problems(String scrape) {
        Map<String, String> types = new HashMap<>();
        List<String> problems = new ArrayList<>();
        for (String line : scrape.lines().toList()) {
            Matcher head = HEAD.matcher(line);
            Matcher series = SERIES.matcher(line);
            if (head.matches()) {
                String rest = head.group(3);
                if (head.group(1).equals("TYPE")) {
                    types.put(head.group(2), rest);
                    ofName(head.group(2), rest, problems);
                } else if (rest.isBlank()) {
                    problems.add(head.group(2) + ": no help text");
                }
            } else if (series.matches()) {
                String labels = String.valueOf(series.group(2));
                boolean isBucket = series.group(1).endsWith("_bucket")
                        && "histogram".equals(types.get(series.group(1).replaceFirst("_bucket$", "")));
                LABEL.matcher(labels)
                        .results()
                        .map(label -> label.group(1))
                        .filter(label -> !label.equals(label.toLowerCase(Locale.ROOT))
                                || (label.equals("le") && !isBucket)
                                || label.equals("quantile"))
                        .forEach(label -> problems.add(series.group(1) + ": label " + label));
            }
        }
        return problems;
    }

    private static void ofName(String name, String type, List<String> problems) {
        if (type.equals("counter") != name.endsWith("_total")) {
            problems.add(name + ": counters, and nothing else, end in _total");
        }
        if (name.matches(".*_(bucket|count|sum)")) {
            problems.add(name + ": an ending of histograms");
        }
        if (!name.equals(name.toLowerCase(Locale.ROOT)) || name.contains(":")) {
            problems.add(name + ": capitals or colons");
        }
        for (String word : name.split("_", -1)) {
            if (TYPES.contains(word)) {
                problems.add(name + ": names its type");
            }
            if (ABBREVIATIONS.contains(word) || NOT_A_BASE_UNIT.matcher(word).matches()) {
                problems.add(name + ": " + word + " is no base unit in full");
            }
        }
    }
}
