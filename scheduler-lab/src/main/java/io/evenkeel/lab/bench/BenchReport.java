package io.evenkeel.lab.bench;

import io.evenkeel.model.write.Tree;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was measured: lines with a label for people, fields for programs. */
final class BenchReport {
    private final List<String> lines = new ArrayList<>();
    private final Tree fields = new Tree();

    /** Begins with what all measurements of our own workloads have. */
    static BenchReport of(BenchCase benchCase, String how, String cluster) {
        return new BenchReport()
                .line(
                        "workload",
                        "%s: %s%s",
                        benchCase.workload().id(),
                        benchCase.workload().description(),
                        how)
                .line("cluster", "%,d nodes in %,d zones%s", benchCase.nodes(), benchCase.zones(), cluster)
                .put("workload", benchCase.workload().id())
                .put("nodes", benchCase.nodes())
                .put("pods", benchCase.pods())
                .put("zones", benchCase.zones())
                .put("groups", benchCase.groups());
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is in no library that we use
    BenchReport line(String label, String format, Object... values) {
        lines.add(String.format(Locale.ROOT, "%-14s ", label) + String.format(Locale.ROOT, format, values));
        return this;
    }

    BenchReport put(String field, Object value) {
        fields.put(field, value);
        return this;
    }

    /** Adds a field for programs, rounded to so many places. */
    BenchReport put(String field, double value, int places) {
        return put(field, BigDecimal.valueOf(value).setScale(places, RoundingMode.HALF_UP));
    }

    BenchReport seed(long seed) {
        return line("seed", "%d", seed).put("seed", seed);
    }

    /** For people; without a newline at the end. */
    String table() {
        return String.join("\n", lines);
    }

    /** One JSON object on one line. */
    String json() {
        return fields.json();
    }

    Tree fields() {
        return fields;
    }
}
