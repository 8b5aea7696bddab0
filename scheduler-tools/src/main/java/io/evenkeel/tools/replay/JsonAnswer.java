package io.evenkeel.tools.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.engine.group.JointPlacement.Seat;
import io.evenkeel.model.Pod;
import io.evenkeel.tools.replay.Step.Verdict;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A scenario's answer as a line of JSON. */
final class JsonAnswer implements AnswerFormat {
    private final JsonFactory factory = new JsonFactory();

    @Override
    public String format(String scenario, List<Step> steps, Map<String, GroupAnswer> groups) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = factory.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("name", scenario);
            json.writeArrayFieldStart("steps");
            for (Step step : steps) {
                write(json, step);
            }
            json.writeEndArray();
            writeGroups(json, groups);
            json.writeEndObject();
        }
        return text.toString();
    }

    /** One group needs no name. */
    private static void writeGroups(JsonGenerator json, Map<String, GroupAnswer> groups) throws IOException {
        if (groups.size() == 1) {
            json.writeFieldName("group");
            write(json, groups.values().iterator().next());
        } else if (!groups.isEmpty()) {
            json.writeObjectFieldStart("groups");
            for (Map.Entry<String, GroupAnswer> group : groups.entrySet()) {
                json.writeFieldName(group.getKey());
                write(json, group.getValue());
            }
            json.writeEndObject();
        }
    }

    private static void write(JsonGenerator json, GroupAnswer group) throws IOException {
        json.writeStartObject();
        json.writeStringField("outcome", group.outcome().written());
        json.writeArrayFieldStart("order");
        for (Seat seat : group.order()) {
            json.writeString(seat.pod().key());
        }
        json.writeEndArray();
        json.writeObjectFieldStart("nodes");
        for (Seat seat : group.order()) {
            json.writeStringField(seat.pod().key(), seat.node());
        }
        json.writeEndObject();
        if (group.certificate().isPresent()) {
            json.writeStringField("certificate", group.certificate().get());
        }
        json.writeNumberField("steps", group.steps());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Step step) throws IOException {
        json.writeStartObject();
        json.writeStringField("pod", step.pod());
        if (step.preFilter().isPresent()) {
            json.writeFieldName("preFilter");
            writeVerdict(json, step.preFilter().get());
        }
        if (!step.filtered().isEmpty()) {
            json.writeObjectFieldStart("filtered");
            for (Map.Entry<String, Verdict> filtered : step.filtered().entrySet()) {
                json.writeFieldName(filtered.getKey());
                writeVerdict(json, filtered.getValue());
            }
            json.writeEndObject();
        }
        switch (step.outcome()) {
            case Step.Outcome.Placed(String node) -> {
                writeScores(json, step);
                json.writeStringField("node", node);
            }
            case Step.Outcome.Waits(String message, Optional<Step.Preemption> preemption) -> {
                json.writeStringField("message", message);
                if (preemption.isPresent()) {
                    writePreemption(json, preemption.get());
                }
            }
            case Step.Outcome.Held(String plugin, String why) ->
                json.writeStringField("preEnqueue", plugin + ": " + why);
            case Step.Outcome.Failed(String message) -> json.writeStringField("message", message);
        }
        json.writeEndObject();
    }

    private static void writePreemption(JsonGenerator json, Step.Preemption preemption) throws IOException {
        json.writeObjectFieldStart("preemption");
        json.writeStringField("nominatedNode", preemption.nominatedNode().orElse(""));
        json.writeArrayFieldStart("victims");
        for (Pod victim : preemption.victims()) {
            json.writeString(victim.meta().name());
        }
        json.writeEndArray();
        json.writeStringField("message", preemption.message());
        json.writeEndObject();
    }

    private static void writeVerdict(JsonGenerator json, Verdict verdict) throws IOException {
        json.writeStartObject();
        json.writeStringField("plugin", verdict.plugin());
        json.writeStringField("code", verdict.status().code().label());
        json.writeArrayFieldStart("reasons");
        for (String reason : verdict.status().reasons()) {
            json.writeString(reason);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeScores(JsonGenerator json, Step step) throws IOException {
        json.writeObjectFieldStart("scores");
        for (Map.Entry<String, Map<String, Long>> scores : step.scores().entrySet()) {
            json.writeObjectFieldStart(scores.getKey());
            for (Map.Entry<String, Long> score : scores.getValue().entrySet()) {
                json.writeNumberField(score.getKey(), score.getValue());
            }
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeObjectFieldStart("totals");
        for (String node : step.scores().keySet()) {
            json.writeNumberField(node, step.totalOf(node));
        }
        json.writeEndObject();
    }
}
