package io.evenkeel.app.replay;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.cluster.NodeSet;
import io.evenkeel.cluster.NodeTable;
import io.evenkeel.engine.Decision;
import io.evenkeel.framework.Diagnosis;
import io.evenkeel.framework.Rejections;
import io.evenkeel.framework.SchedulingProfile;
import io.evenkeel.framework.ScoreRunner;
import io.evenkeel.framework.Status;
import io.evenkeel.model.Pod;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes the answer for one pod: who turned down which node and why, the others' scores, the node chosen. */
final class StepWriter {
    private static final String EXCLUDED = "excluded by PreFilter";

    private final JsonGenerator json;
    private final NodeTable nodes;

    StepWriter(JsonGenerator json, NodeTable nodes) {
        this.json = json;
        this.nodes = nodes;
    }

    void write(Pod pod, SchedulingProfile profile, Decision decision) throws IOException {
        Diagnosis diagnosis = profile.filters().diagnosis();
        json.writeStartObject();
        json.writeStringField("pod", pod.key());
        writePreFilter(diagnosis);
        writeFiltered(diagnosis);
        switch (decision) {
            case Decision.Placed placed -> {
                writeScores(profile, diagnosis);
                json.writeStringField("node", nodes.name(placed.node()));
            }
            case Decision.Unschedulable unschedulable -> {
                json.writeStringField("message", unschedulable.diagnosis().message());
            }
        }
        json.writeEndObject();
    }

    private void writePreFilter(Diagnosis diagnosis) throws IOException {
        if (diagnosis.preFilter().isPresent()) {
            json.writeFieldName("preFilter");
            writeStatus(
                    diagnosis.preFilter().get().plugin(),
                    diagnosis.preFilter().get().status());
        }
    }

    private void writeFiltered(Diagnosis diagnosis) throws IOException {
        SortedMap<String, Integer> excluded = byName(diagnosis.excluded());
        SortedMap<String, Rejections.Rejection> rejected = new TreeMap<>();
        for (Rejections.Rejection rejection : diagnosis.rejections().all()) {
            byName(rejection.nodes()).forEach((name, node) -> rejected.put(name, rejection));
        }
        if (excluded.isEmpty() && rejected.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart("filtered");
        for (String name : excluded.keySet()) {
            json.writeFieldName(name);
            writeStatus(String.join(",", diagnosis.narrowedBy()), Status.unresolvable(EXCLUDED));
        }
        for (var entry : rejected.entrySet()) {
            json.writeFieldName(entry.getKey());
            Rejections.Rejection rejection = entry.getValue();
            writeStatus(rejection.plugin().name(), rejection.statusOf(nodes.find(entry.getKey())));
        }
        json.writeEndObject();
    }

    private void writeStatus(String plugin, Status status) throws IOException {
        json.writeStartObject();
        json.writeStringField("plugin", plugin);
        json.writeStringField("code", status.code().wireName());
        json.writeArrayFieldStart("reasons");
        for (String reason : status.reasons()) {
            json.writeString(reason);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writeScores(SchedulingProfile profile, Diagnosis diagnosis) throws IOException {
        NodeSet feasible = nodes.present().copy();
        feasible.removeAll(diagnosis.excluded());
        diagnosis.rejections().all().forEach(rejection -> feasible.removeAll(rejection.nodes()));
        SortedMap<String, Integer> names = byName(feasible);
        SortedMap<String, Long> totals = new TreeMap<>();
        json.writeObjectFieldStart("scores");
        for (var entry : names.entrySet()) {
            json.writeObjectFieldStart(entry.getKey());
            long total = 0;
            for (ScoreRunner.WeightedScore score : profile.scores().scores()) {
                if (!score.isSkipped()) {
                    long weighted = score.weightedScoreOf(entry.getValue());
                    json.writeNumberField(score.plugin().name(), weighted);
                    total += weighted;
                }
            }
            totals.put(entry.getKey(), total);
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeObjectFieldStart("totals");
        for (var entry : totals.entrySet()) {
            json.writeNumberField(entry.getKey(), entry.getValue());
        }
        json.writeEndObject();
    }

    private SortedMap<String, Integer> byName(NodeSet set) {
        SortedMap<String, Integer> names = new TreeMap<>();
        for (int node = set.first(); node >= 0; node = set.next(node + 1)) {
            names.put(nodes.name(node), node);
        }
        return names;
    }
}
