package io.evenkeel.lab.bench;

import io.evenkeel.lab.bench.Suite.Row;
import io.evenkeel.model.write.Tree;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The suite as text: a table for people, CSV for charts, one line of JSON that serves as the baseline of a later run. */
record SuiteReport(Baseline baseline) {
    static final String CASES = "cases";
    static final String WORKLOAD = "workload";
    private static final String COLUMNS = "%-52s %7s %5s %7s %9s %8s %8s %8s %9s";
    private static final String COMPARISON = "   %8s %9s %7s";
    private static final String NOTHING = "–";

    /** The table's first line. */
    String head() {
        String measured = String.format(
                Locale.ROOT,
                COLUMNS,
                WORKLOAD,
                "nodes",
                "fill",
                "pods",
                "pods/s",
                "µs p50",
                "µs p99",
                "µs cpu",
                "bytes/pod");
        return baseline.isThere()
                ? measured + String.format(Locale.ROOT, COMPARISON, "× pods/s", "× µs cpu", "× bytes")
                : measured;
    }

    /** The table's line of a case; what is compared is how many times as much as then it is. */
    String row(Row row) {
        String measured = String.format(
                Locale.ROOT,
                COLUMNS,
                row.name().workload(),
                number("%,d", row.name().nodes()),
                number("%,d", row.name().fill()),
                number("%,d", row.name().pods()),
                number("%,.0f", row.figures().podsPerSecond()),
                number("%,.1f", row.figures().p50Micros()),
                number("%,.1f", row.figures().p99Micros()),
                number("%,.1f", row.figures().cpuMicros()),
                number("%,d", row.figures().bytesPerPod()));
        return baseline.isThere() ? measured + compared(row) : measured;
    }

    private String compared(Row row) {
        Optional<Baseline.Then> then = baseline.of(row.name());
        return String.format(
                Locale.ROOT,
                COMPARISON,
                then.map(was -> ratio(row.figures().podsPerSecond(), was.podsPerSecond()))
                        .orElse(NOTHING),
                then.map(was -> ratio(row.figures().cpuMicros(), was.cpuMicros()))
                        .orElse(NOTHING),
                then.map(was -> ratio((double) row.figures().bytesPerPod(), was.bytesPerPod()))
                        .orElse(NOTHING));
    }

    /** One JSON object on one line. */
    static String json(List<Row> rows, long seed) {
        return new Tree()
                .put("seed", seed)
                .put(CASES, rows, SuiteReport::fields)
                .json();
    }

    private static Tree fields(Row row) {
        BenchReport report = new BenchReport()
                .put(WORKLOAD, row.name().workload())
                .put("nodes", row.name().nodes())
                .put("fill", row.name().fill())
                .put("pods", row.name().pods());
        return row.figures().addTo(report, "").fields();
    }

    /** The names of the fields of {@link #csv}: they are the JSON's. */
    static String csvHead() {
        return "workload,nodes,fill,pods,pods_per_s,us_per_pod_p50,us_per_pod_p99,cpu_us_per_pod,bytes_per_pod";
    }

    /** A case on a line. No name of a workload has a comma. */
    static String csv(Row row) {
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%d,%.1f,%.1f,%.1f,%.1f,%d",
                row.name().workload(),
                row.name().nodes(),
                row.name().fill(),
                row.name().pods(),
                row.figures().podsPerSecond(),
                row.figures().p50Micros(),
                row.figures().p99Micros(),
                row.figures().cpuMicros(),
                row.figures().bytesPerPod());
    }

    private static String ratio(double now, double then) {
        return then == 0 ? NOTHING : number("%.2f", now / then);
    }

    private static String number(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
