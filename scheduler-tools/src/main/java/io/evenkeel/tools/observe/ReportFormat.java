package io.evenkeel.tools.observe;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.app.terminal.Wrapping;
import io.evenkeel.kube.api.JsonText;
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
            return JsonText.object(json -> write(json, report));
        }

        private static void write(JsonGenerator json, SpreadReport report) throws IOException {
            json.writeNumberField("version", VERSION);
            json.writeNumberField("workloads", report.workloads());
            json.writeNumberField("constraints", report.constraints());
            json.writeNumberField("podsWithoutController", report.withoutController());
            json.writeArrayFieldStart("violated");
            for (SpreadReport.Violated one : report.violated()) {
                write(json, one);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("findings");
            for (Finding one : report.findings()) {
                json.writeStartObject();
                json.writeStringField("lint", one.lint());
                write(json, one.constraint());
                json.writeStringField("wrong", one.wrong());
                json.writeStringField("remedy", one.remedy());
                json.writeEndObject();
            }
            json.writeEndArray();
        }

        private static void write(JsonGenerator json, SpreadReport.Violated one) throws IOException {
            SpreadReading reading = one.reading();
            json.writeStartObject();
            write(json, one.name());
            json.writeBooleanField("byDefault", one.isDefault());
            json.writeNumberField("skew", reading.skew());
            json.writeNumberField("allowed", reading.allowed());
            json.writeNumberField("violatingDomains", reading.violating().size());
            json.writeArrayFieldStart("domains");
            for (SpreadReading.Domain domain : one.domains()) {
                json.writeStartObject();
                json.writeStringField("value", domain.value());
                json.writeNumberField("pods", domain.pods());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }

        private static void write(JsonGenerator json, SpreadName name) throws IOException {
            json.writeStringField("namespace", name.workload().namespace());
            json.writeStringField("kind", name.workload().kind());
            json.writeStringField("name", name.workload().name());
            json.writeStringField("topologyKey", name.topologyKey());
            json.writeStringField("whenUnsatisfiable", name.whenUnsatisfiable());
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
