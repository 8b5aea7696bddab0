package io.evenkeel.app.why;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.engine.why.Answer;
import io.evenkeel.engine.why.Placement;
import io.evenkeel.framework.run.Objection;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What its node is to a pod, as JSON. */
final class JsonPlacement {
    private JsonPlacement() {}

    static void write(JsonGenerator json, Placement placement) throws IOException {
        json.writeStringField("node", placement.node());
        json.writeNumberField("feasible", placement.feasible());
        if (placement.there().isPresent()) {
            json.writeFieldName("scores");
            write(json, placement.there().get());
        } else {
            write(json, "objections", placement.inTheWay());
        }
        json.writeArrayFieldStart("others");
        for (Placement.Scored other : placement.best()) {
            write(json, other);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("constraints");
        for (Answer.Rule rule : placement.rules()) {
            JsonAccount.write(json, rule);
        }
        json.writeEndArray();
    }

    static void write(JsonGenerator json, String field, List<Objection> objections) throws IOException {
        json.writeArrayFieldStart(field);
        for (Objection objection : objections) {
            json.writeStartObject();
            json.writeStringField("plugin", objection.plugin());
            json.writeArrayFieldStart("reasons");
            for (String reason : objection.status().reasons()) {
                json.writeString(reason);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, Placement.Scored scored) throws IOException {
        json.writeStartObject();
        json.writeStringField("node", scored.node());
        json.writeNumberField("total", scored.total());
        for (Map.Entry<String, Long> score : scored.scores().entrySet()) {
            json.writeNumberField(score.getKey(), score.getValue());
        }
        json.writeEndObject();
    }
}
