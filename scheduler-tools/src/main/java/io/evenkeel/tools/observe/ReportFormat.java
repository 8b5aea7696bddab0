package io.evenkeel.tools.observe;

import io.evenkeel.app.terminal.Wrapping;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.observe.spread.Finding;
import io.evenkeel.tools.observe.spread.SpreadName;
import io.evenkeel.tools.observe.spread.SpreadReading;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** How a report is written. */
@FunctionalInterface
public interface ReportFormat {
    ReportFormat JSON = new JsonReport();

    static ReportFormat text(int columns) {
        return new TextReport(columns);
    }

    String format(SpreadReport report) throws IOException;

    /** The report as a line of JSON; docs/observe.md describes its fields. */
    final class JsonReport implements ReportFormat {
        private static final int VERSION = 1;

        @Override
        public String format(SpreadReport report) {
            return new Tree()
                    .put("version", VERSION)
                    .put("workloads", report.workloads())
                    .put("constraints", report.constraints())
                    .put("podsWithoutController", report.withoutController())
                    .put("violated", report.violated(), JsonReport::violated)
                    .put(
                            "findings",
                            report.findings(),
                            one -> name(new Tree().put("lint", one.lint()), one.constraint())
                                    .put("wrong", one.wrong())
                                    .put("remedy", one.remedy()))
                    .json();
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
    }

    /**
     * The report for people: what is violated with its domains, then what is wrong with constraints and what to do.
     *
     * @param columns how long lines may be
     */
    record TextReport(int columns) implements ReportFormat {
        private static final int MOST_DOMAINS = 10;
        private static final int FULLEST = 7;

        @Override
        public String format(SpreadReport report) {
            List<String> lines = new ArrayList<>();
            wrap("", summary(report), lines);
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
            return String.join("\n", lines);
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
