package io.evenkeel.tools.observe;

import io.evenkeel.app.cli.Wrapping;
import io.evenkeel.model.write.Tree;
import io.evenkeel.plugins.devices.DeviceCounts;
import io.evenkeel.plugins.devices.DeviceCounts.Partitioned;
import io.evenkeel.plugins.devices.DeviceCounts.Row;
import io.evenkeel.plugins.devices.DeviceCounts.State;
import io.evenkeel.tools.observe.Lint.Finding;
import io.evenkeel.tools.observe.WatchedConstraint.SpreadName;
import io.evenkeel.tools.observe.WatchedConstraint.SpreadReading;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The spread of a cluster's pods at one moment.
 *
 * @param workloads how many have constraints, their own or by default
 * @param constraints how many these are, by name
 * @param withoutController pods that no controller made, which are in no workload
 * @param violated the constraints with more skew than they allow, worst first
 * @param findings what the lints found
 * @param devices how many there are, and how many are free
 */
record SpreadReport(
        int workloads,
        int constraints,
        int withoutController,
        List<Violated> violated,
        List<Finding> findings,
        LastBindings bindings,
        DeviceCounts devices)
        implements Report {
    private static final int VERSION = 1;

    /**
     * A constraint with more skew than it allows.
     *
     * @param isDefault whether it is the profile's, not the pods' own
     * @param domains all that are counted, fullest first
     */
    record Violated(SpreadName name, boolean isDefault, SpreadReading reading, List<SpreadReading.Domain> domains) {}

    @Override
    public Tree tree() {
        return new Tree()
                .put("version", VERSION)
                .put("workloads", workloads)
                .put("constraints", constraints)
                .put("podsWithoutController", withoutController)
                .put("violated", violated, SpreadReport::violated)
                .put(
                        "findings",
                        findings,
                        one -> name(new Tree().put("lint", one.lint()), one.constraint())
                                .put("wrong", one.wrong())
                                .put("remedy", one.remedy()))
                .put("bindings", bindings.tree())
                .putNonEmpty("devices", devices.rows(), SpreadReport::devices)
                .putNonEmpty("partitioned", devices.partitioned(), SpreadReport::partitioned);
    }

    private static Tree devices(Row row) {
        Tree tree = new Tree().put("driver", row.driver()).put("class", row.deviceClass());
        row.states().forEach((state, count) -> tree.put(state.label(), count));
        return tree;
    }

    private static Tree partitioned(Partitioned one) {
        return new Tree()
                .put("driver", one.driver())
                .put("counterSets", one.sets())
                .put("whole", one.whole())
                .put("free", toThousandths(one.free()))
                .put("fragmentation", toThousandths(one.fragmentation()));
    }

    private static double toThousandths(double share) {
        return Math.round(share * 1e3) / 1e3;
    }

    private static Tree violated(SpreadReport.Violated one) {
        SpreadReading reading = one.reading();
        return name(new Tree(), one.name())
                .put("byDefault", one.isDefault())
                .put("skew", reading.skew())
                .put("allowed", reading.allowed())
                .put("violatingDomains", reading.violating().size())
                .put(
                        "domains",
                        one.domains(),
                        domain -> new Tree().put("value", domain.value()).put("pods", domain.pods()));
    }

    private static Tree name(Tree tree, SpreadName name) {
        return tree.put("namespace", name.workload().namespace())
                .put("kind", name.workload().kind())
                .put("name", name.workload().name())
                .put("topologyKey", name.topologyKey())
                .put("whenUnsatisfiable", name.whenUnsatisfiable());
    }

    @Override
    public String text(Layout layout) {
        return new Text(layout.columns()).of(this);
    }

    /**
     * What is violated with its domains, then what is wrong with constraints and what to do.
     *
     * @param columns how long lines may be
     */
    private record Text(int columns) {
        private static final int MOST_DOMAINS = 10;
        private static final int FULLEST = 7;

        String of(SpreadReport report) {
            List<String> lines = new ArrayList<>();
            wrap("", summary(report), lines);
            report.bindings().sentence().ifPresent(sentence -> wrap("", sentence, lines));
            for (SpreadReport.Violated one : report.violated()) {
                lines.add("");
                wrap("", headOf(one), lines);
                wrap("  ", domains(one.domains()), lines);
            }
            for (Finding one : report.findings()) {
                lines.add("");
                wrap("", inWords(one.constraint()) + ": " + one.wrong() + " (" + one.lint() + ")", lines);
                wrap("  ", "→ " + one.remedy(), lines);
            }
            devices(report.devices(), lines);
            return String.join("\n", lines);
        }

        private void devices(DeviceCounts devices, List<String> lines) {
            if (devices.rows().isEmpty()) {
                return;
            }
            List<State> states = Stream.of(State.values())
                    .filter(state -> state == State.FREE
                            || devices.rows().stream()
                                    .anyMatch(row -> row.states().getOrDefault(state, 0) > 0))
                    .toList();
            List<String[]> rows = new ArrayList<>();
            rows.add(Stream.concat(Stream.of("Class", "driver"), states.stream().map(State::label))
                    .toArray(String[]::new));
            devices.rows()
                    .forEach(row -> rows.add(Stream.concat(
                                    Stream.of(row.deviceClass().isEmpty() ? "none" : row.deviceClass(), row.driver()),
                                    states.stream()
                                            .map(state ->
                                                    String.valueOf(row.states().getOrDefault(state, 0))))
                            .toArray(String[]::new)));
            lines.add("");
            lines.addAll(Layout.inColumns(rows));
            if (devices.leftOut() > 0) {
                lines.add("and " + devices.leftOut() + " more classes and drivers");
            }
            devices.partitioned()
                    .forEach(one -> wrap(
                            "",
                            String.format(
                                    Locale.ROOT,
                                    "Partitions of %s: %d of %s whole; %.0f %% of what is free is in pieces",
                                    one.driver(),
                                    one.whole(),
                                    count(one.sets(), "counter set"),
                                    one.fragmentation() * 100),
                            lines));
        }

        private static String summary(SpreadReport report) {
            return count(report.workloads(), "workload") + " with " + count(report.constraints(), "spread constraint")
                    + ": "
                    + report.violated().size() + " violated, "
                    + count(report.findings().size(), "mistake")
                    + (report.withoutController() == 0
                            ? ""
                            : "; " + count(report.withoutController(), "pod") + " without a controller left out");
        }

        private static String count(int number, String what) {
            return number + " " + what + (number == 1 ? "" : "s");
        }

        private static String headOf(SpreadReport.Violated one) {
            SpreadReading reading = one.reading();
            return inWords(one.name()) + (one.isDefault() ? " by default" : "") + ": skew " + reading.skew()
                    + ", allowed "
                    + reading.allowed() + "; " + reading.violating().size() + " of "
                    + count(reading.domains(), "domain")
                    + " too full";
        }

        private static String inWords(SpreadName name) {
            return name.workload() + ", " + name.topologyKey() + " " + name.whenUnsatisfiable();
        }

        /** Of many the fullest and the emptiest. */
        private static String domains(List<SpreadReading.Domain> domains) {
            if (domains.size() <= MOST_DOMAINS) {
                return inWords(domains);
            }
            int emptiest = MOST_DOMAINS - FULLEST;
            return inWords(domains.subList(0, FULLEST)) + " … " + (domains.size() - MOST_DOMAINS) + " more … "
                    + inWords(domains.subList(domains.size() - emptiest, domains.size()));
        }

        private static String inWords(List<SpreadReading.Domain> domains) {
            return domains.stream()
                    .map(domain -> (domain.value().isEmpty() ? "(no label)" : domain.value()) + "=" + domain.pods())
                    .collect(Collectors.joining(" "));
        }

        private void wrap(String indent, String text, List<String> lines) {
            Wrapping.wrap(text, columns - indent.length()).forEach(line -> lines.add(indent + line));
        }
    }
}
