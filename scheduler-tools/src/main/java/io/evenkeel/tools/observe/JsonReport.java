package io.evenkeel.tools.observe;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.tools.observe.spread.Finding;
import io.evenkeel.tools.observe.spread.SpreadName;
import io.evenkeel.tools.observe.spread.SpreadReading;
import java.io.IOException;

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
