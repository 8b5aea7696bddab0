package io.evenkeel.tools.why;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.api.ChangeKind;
import io.evenkeel.engine.why.Answer;
import io.evenkeel.engine.why.Edit;
import io.evenkeel.engine.why.Funnel;
import io.evenkeel.engine.why.IneffectiveChange;
import io.evenkeel.engine.why.NearNode;
import io.evenkeel.engine.why.Placement;
import io.evenkeel.engine.why.Remedy;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.why.PatchOperation;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.model.Node;
import io.evenkeel.model.Taint;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.tools.why.PodReport.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The answer as a line of JSON; docs/why.md describes its fields. */
final class JsonWhy implements WhyFormat {
    private static final int VERSION = 1;

    @Override
    public String format(PodReport report) {
        return JsonText.object(json -> write(json, report));
    }

    private static void write(JsonGenerator json, PodReport report) throws IOException {
        json.writeNumberField("version", VERSION);
        if (!report.scenario().isEmpty()) {
            json.writeStringField("scenario", report.scenario());
        }
        json.writeStringField("pod", report.pod());
        writeTexts(json, "alike", report.alike());
        writeTexts(json, "remarks", report.remarks());
        if (report.queued().isPresent()) {
            write(json, report.queued().get());
        }
        write(json, report.state());
    }

    private static void write(JsonGenerator json, State state) throws IOException {
        json.writeStringField("state", name(state));
        switch (state) {
            case State.Waits(var message, var answer) -> {
                json.writeStringField("message", message);
                write(json, answer);
            }
            case State.GangWaits(var message, var gang, var answer) -> {
                json.writeStringField("message", message);
                write(json, gang);
                if (answer.isPresent()) {
                    json.writeStringField("member", answer.get().pod().key());
                    write(json, answer.get());
                }
            }
            case State.Fits(var node) -> json.writeStringField("node", node);
            case State.Retried(var node, var shown, var because) -> {
                json.writeStringField("node", node);
                json.writeStringField("message", shown);
                json.writeStringField("because", because);
            }
            case State.PartlyJudged(var why, var node) -> {
                json.writeStringField("message", why);
                json.writeStringField("node", node);
            }
            case State.OnItsWay(var node, var waitsFor) -> {
                json.writeStringField("node", node);
                json.writeStringField("waitsFor", waitsFor);
            }
            case State.Held(var plugin, var why) -> {
                json.writeStringField("plugin", plugin);
                json.writeStringField("message", why);
            }
            case State.Failed(var message) -> json.writeStringField("message", message);
            case State.Unattended(var why, var judged) -> {
                json.writeStringField("message", why);
                json.writeObjectFieldStart("judged");
                write(json, judged);
                json.writeEndObject();
            }
            case State.Leaving _ -> {}
            case State.InPlace(var placement) -> JsonPlacement.write(json, placement);
        }
    }

    private static String name(State state) {
        return switch (state) {
            case State.Waits _ -> "waits";
            case State.GangWaits _ -> "gangWaits";
            case State.Fits _ -> "fits";
            case State.Retried _ -> "retried";
            case State.PartlyJudged _ -> "partlyJudged";
            case State.OnItsWay _ -> "onItsWay";
            case State.Held _ -> "held";
            case State.Failed _ -> "failed";
            case State.Unattended _ -> "unattended";
            case State.Leaving _ -> "leaving";
            case State.InPlace _ -> "inPlace";
        };
    }

    private static void write(JsonGenerator json, PodReport.Gang gang) throws IOException {
        json.writeObjectFieldStart("gang");
        if (!gang.plugin().isEmpty()) {
            json.writeStringField("plugin", gang.plugin());
        }
        json.writeStringField("name", gang.name());
        json.writeNumberField("needed", gang.needed());
        json.writeNumberField("inPlace", gang.inPlace());
        json.writeNumberField("waiting", gang.waiting());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, QueuedPod queued) throws IOException {
        json.writeObjectFieldStart("queue");
        json.writeStringField("name", queued.queue());
        json.writeNumberField("attempts", queued.attempts());
        json.writeNumberField("seconds", queued.since().toMillis() / 1e3);
        if (queued.nextTry().isPresent()) {
            json.writeNumberField("nextTrySeconds", queued.nextTry().get().toMillis() / 1e3);
        }
        if (!queued.nominatedNode().isEmpty()) {
            json.writeStringField("nominatedNode", queued.nominatedNode());
        }
        json.writeEndObject();
    }

    /** Nothing where there are none. */
    private static void writeTexts(JsonGenerator json, String field, List<String> texts) throws IOException {
        if (!texts.isEmpty()) {
            json.writeArrayFieldStart(field);
            for (String text : texts) {
                json.writeString(text);
            }
            json.writeEndArray();
        }
    }

    private static void write(JsonGenerator json, Answer answer) throws IOException {
        write(json, answer.funnel());
        json.writeArrayFieldStart("constraints");
        for (Answer.Rule rule : answer.rules()) {
            JsonAccount.write(json, rule);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("nearest");
        for (NearNode node : answer.nearest()) {
            write(json, node);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("remedies");
        for (Remedy remedy : answer.remedies()) {
            write(json, remedy);
        }
        json.writeEndArray();
        if (answer.untold() > 0) {
            json.writeNumberField("moreRemedies", answer.untold());
        }
        json.writeArrayFieldStart("inVain");
        for (IneffectiveChange vain : answer.inVain()) {
            json.writeStartObject();
            json.writeStringField("kind", vain.change().kind().written());
            json.writeStringField("text", vain.change().text());
            json.writeStringField("because", vain.because());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("awaited");
        for (Answer.Awaited awaited : answer.awaited()) {
            json.writeStartObject();
            json.writeStringField("plugin", awaited.plugin());
            json.writeArrayFieldStart("changes");
            for (ChangeKind change : awaited.changes()) {
                json.writeString(change.label());
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, Funnel funnel) throws IOException {
        json.writeObjectFieldStart("funnel");
        json.writeNumberField("nodes", funnel.nodes());
        if (funnel.outright().isPresent()) {
            json.writeObjectFieldStart("preFilter");
            json.writeStringField("plugin", funnel.outright().get().plugin());
            json.writeStringField("reason", funnel.outright().get().status().message());
            json.writeEndObject();
        }
        json.writeArrayFieldStart("steps");
        for (Funnel.Step step : funnel.steps()) {
            json.writeStartObject();
            json.writeStringField("plugin", step.plugin());
            json.writeNumberField("rejected", step.rejected());
            json.writeObjectFieldStart("reasons");
            for (Map.Entry<String, Integer> reason : step.reasons().entrySet()) {
                json.writeNumberField(reason.getKey(), reason.getValue());
            }
            json.writeEndObject();
            json.writeNumberField("left", step.left());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeStringField("message", funnel.message());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, NearNode node) throws IOException {
        json.writeStartObject();
        json.writeStringField("node", node.name());
        JsonPlacement.write(json, "objections", node.objections());
        json.writeArrayFieldStart("lacks");
        for (String lack : node.lacks()) {
            json.writeString(lack);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Remedy remedy) throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", remedy.kind().written());
        json.writeStringField("text", remedy.text());
        json.writeBooleanField("smallest", remedy.smallest());
        json.writeArrayFieldStart("changes");
        for (Edit edit : remedy.edits()) {
            write(json, edit);
        }
        json.writeEndArray();
        json.writeStringField("node", remedy.node());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Edit edit) throws IOException {
        json.writeStartObject();
        switch (edit) {
            case Edit.Added(Node node) -> {
                json.writeFieldName("add");
                writeTree(json, NodeManifest.of(node));
            }
            case Edit.Added(var other) -> {
                json.writeFieldName("add");
                json.writeRawValue(new ObjectWriter().json(other));
            }
            case Edit.Removed(var pod) -> json.writeStringField("remove", "Pod/" + pod.key());
            case Edit.Patched(var object, var operations) -> {
                json.writeStringField("object", object);
                json.writeArrayFieldStart("patch");
                for (PatchOperation operation : operations) {
                    json.writeStartObject();
                    json.writeStringField("op", operation.operation());
                    json.writeStringField("path", operation.path());
                    if (operation.value().isPresent()) {
                        json.writeFieldName("value");
                        writeTree(json, operation.value().get());
                    }
                    json.writeEndObject();
                }
                json.writeEndArray();
            }
        }
        json.writeEndObject();
    }

    private static void writeTree(JsonGenerator json, Object tree) throws IOException {
        switch (tree) {
            case Map<?, ?> map -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    json.writeFieldName(String.valueOf(entry.getKey()));
                    writeTree(json, entry.getValue());
                }
                json.writeEndObject();
            }
            case Collection<?> all -> {
                json.writeStartArray();
                for (Object each : all) {
                    writeTree(json, each);
                }
                json.writeEndArray();
            }
            case Number number -> json.writeNumber(number.longValue());
            case Boolean truth -> json.writeBoolean(truth);
            default -> json.writeString(tree.toString());
        }
    }

    /** A pod's view of its node, as JSON. */
    private static final class JsonPlacement {
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

    /** A node as the API has it, with what scheduling reads of it, as maps and lists. */
    private static final class NodeManifest {
        private NodeManifest() {}

        static Map<String, Object> of(Node node) {
            Map<String, Object> metadata = new LinkedHashMap<>();
            metadata.put("name", node.name());
            metadata.put("labels", new TreeMap<String, Object>(node.labels().asMap()));
            Map<String, Object> spec = new LinkedHashMap<>();
            if (node.unschedulable()) {
                spec.put("unschedulable", true);
            }
            if (!node.taints().isEmpty()) {
                spec.put("taints", taints(node));
            }
            Map<String, Object> status = new LinkedHashMap<>();
            Map<String, Object> amounts = new TreeMap<>();
            node.allocatable().forEach((resource, amount) -> amounts.put(resource, amount.toString()));
            status.put("capacity", amounts);
            status.put("allocatable", amounts);
            if (!node.declaredFeatures().isEmpty()) {
                status.put("declaredFeatures", List.copyOf(node.declaredFeatures()));
            }
            Map<String, Object> manifest = new LinkedHashMap<>();
            manifest.put("apiVersion", "v1");
            manifest.put("kind", "Node");
            manifest.put("metadata", metadata);
            manifest.put("spec", spec);
            manifest.put("status", status);
            return manifest;
        }

        private static List<Object> taints(Node node) {
            List<Object> taints = new ArrayList<>();
            for (Taint taint : node.taints()) {
                Map<String, Object> written = new LinkedHashMap<>();
                written.put("key", taint.key());
                if (!taint.value().isEmpty()) {
                    written.put("value", taint.value());
                }
                written.put("effect", taint.effect().apiName());
                taints.add(written);
            }
            return taints;
        }
    }
}
