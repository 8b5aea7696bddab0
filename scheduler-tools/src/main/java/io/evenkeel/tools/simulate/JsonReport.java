package io.evenkeel.tools.simulate;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.model.Pod;
import io.evenkeel.tools.simulate.Outcome.Decided;
import io.evenkeel.tools.simulate.Outcome.Evicted;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;

/** The answer as a line of JSON; docs/simulate.md describes its fields. */
final class JsonReport implements ReportFormat {
    private static final int VERSION = 1;

    @Override
    public String format(Answer answer) {
        return JsonText.object(json -> write(json, answer));
    }

    private static void write(JsonGenerator json, Answer answer) throws IOException {
        json.writeNumberField("version", VERSION);
        texts(json, "changes", answer.changes());
        body(json, answer);
        texts(json, "remarks", answer.remarks());
        if (answer.compared().isPresent()) {
            Answer.Compared compared = answer.compared().get();
            json.writeObjectFieldStart("compared");
            json.writeStringField("with", compared.name());
            json.writeNumberField("onOtherNodes", answer.differsFrom(compared.other()));
            body(json, compared.other());
            json.writeEndObject();
        }
    }

    private static void body(JsonGenerator json, Answer answer) throws IOException {
        json.writeNumberField("placed", answer.placed());
        json.writeNumberField("pending", answer.pending().size());
        json.writeNumberField("notMade", answer.notMade());
        json.writeNumberField("preempted", answer.preempted());
        json.writeNumberField("moved", answer.moved().size());
        json.writeArrayFieldStart("pods");
        for (Decided decided : answer.outcome().pods()) {
            write(json, decided);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("gone");
        for (Pod pod : answer.gone()) {
            json.writeString(pod.key());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("evicted");
        for (Evicted evicted : answer.outcome().evicted()) {
            json.writeStartObject();
            json.writeStringField("pod", evicted.pod().key());
            json.writeStringField("node", evicted.pod().spec().nodeName());
            json.writeStringField("for", evicted.by());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("spread");
        for (SkewChange skew : answer.skews()) {
            write(json, skew);
        }
        json.writeEndArray();
        use(json, "before", answer.before(), answer.zonesBefore());
        use(json, "after", answer.after(), answer.zonesAfter());
    }

    private static void write(JsonGenerator json, Decided decided) throws IOException {
        json.writeStartObject();
        json.writeStringField("pod", decided.arrival().pod().key());
        json.writeStringField("workload", decided.arrival().workload().title());
        json.writeStringField("cause", decided.arrival().cause().written());
        if (decided.arrival().instead().isPresent()) {
            Pod gone = decided.arrival().instead().get();
            json.writeObjectFieldStart("instead");
            json.writeStringField("pod", gone.key());
            json.writeStringField("node", gone.spec().nodeName());
            json.writeEndObject();
        }
        switch (decided.verdict()) {
            case Verdict.Placed(var node) -> json.writeStringField("node", node);
            case Verdict.Waits(var why) -> json.writeStringField("message", why);
            case Verdict.NotMade(var after) -> json.writeStringField("notMadeBefore", after);
            case Verdict.Preempted(var by) -> json.writeStringField("preemptedBy", by);
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, SkewChange skew) throws IOException {
        json.writeStartObject();
        json.writeStringField("workload", skew.workload().title());
        json.writeStringField("topologyKey", skew.constraint().topologyKey());
        json.writeNumberField("maxSkew", skew.constraint().maxSkew());
        json.writeStringField(
                "whenUnsatisfiable", skew.constraint().whenUnsatisfiable().apiName());
        side(json, "before", skew.skewBefore(), skew.before());
        side(json, "after", skew.skewAfter(), skew.after());
        json.writeEndObject();
    }

    private static void side(JsonGenerator json, String field, int skew, SortedMap<String, Integer> domains)
            throws IOException {
        json.writeObjectFieldStart(field);
        json.writeNumberField("skew", skew);
        json.writeObjectFieldStart("domains");
        for (Map.Entry<String, Integer> domain : domains.entrySet()) {
            json.writeNumberField(domain.getKey(), domain.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void use(JsonGenerator json, String field, Use all, SortedMap<String, Use> zones)
            throws IOException {
        json.writeObjectFieldStart(field);
        write(json, all);
        json.writeObjectFieldStart("zones");
        for (Map.Entry<String, Use> zone : zones.entrySet()) {
            json.writeObjectFieldStart(zone.getKey());
            write(json, zone.getValue());
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Use use) throws IOException {
        json.writeNumberField("nodes", use.nodes());
        json.writeNumberField("nodesInUse", use.inUse());
        json.writeNumberField("pods", use.pods());
        json.writeNumberField("cpu", toThousandths(use.cpu()));
        json.writeNumberField("cpuAllocatable", toThousandths(use.cpuOffered()));
        json.writeNumberField("memory", Math.round(use.memory()));
        json.writeNumberField("memoryAllocatable", Math.round(use.memoryOffered()));
    }

    /** As exact as cpus are asked for; sums of fractions have a long tail. */
    private static double toThousandths(double cpus) {
        return Math.round(cpus * 1e3) / 1e3;
    }

    private static void texts(JsonGenerator json, String field, Iterable<String> texts) throws IOException {
        json.writeArrayFieldStart(field);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }
}
