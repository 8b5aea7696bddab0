package io.evenkeel.lab.bench.endtoend;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.model.Container;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Writes the objects of the bench's workloads as a user would create them: what no workload has is not written. */
final class Manifests {
    private Manifests() {}

    static String of(KubernetesObject object) {
        return switch (object) {
            case Pod pod -> JsonText.object(json -> writePod(json, pod));
            case Node node -> JsonText.object(json -> writeNode(json, node));
            case Service service ->
                JsonText.object(json -> {
                    begin(json, service);
                    json.writeObjectFieldStart("spec");
                    writeLabels(json, "selector", service.selector());
                    json.writeArrayFieldStart("ports");
                    json.writeStartObject();
                    json.writeNumberField("port", 80);
                    json.writeEndObject();
                    json.writeEndArray();
                    json.writeEndObject();
                });
            default -> throw new IllegalArgumentException("no workload has a " + object.kindName());
        };
    }

    private static void begin(JsonGenerator json, KubernetesObject object) throws IOException {
        json.writeStringField("apiVersion", "v1");
        json.writeStringField("kind", object.kindName());
        json.writeObjectFieldStart("metadata");
        json.writeStringField("name", object.meta().name());
        if (!object.meta().namespace().isEmpty()) {
            json.writeStringField("namespace", object.meta().namespace());
        }
        writeLabels(json, "labels", object.meta().labels());
        json.writeEndObject();
    }

    private static void writeNode(JsonGenerator json, Node node) throws IOException {
        begin(json, node);
        json.writeObjectFieldStart("status");
        for (String field : List.of("capacity", "allocatable")) {
            writeQuantities(json, field, node.allocatable());
        }
        json.writeEndObject();
    }

    private static void writePod(JsonGenerator json, Pod pod) throws IOException {
        begin(json, pod);
        json.writeObjectFieldStart("spec");
        json.writeStringField("schedulerName", pod.spec().schedulerName());
        if (pod.isPlaced()) {
            json.writeStringField("nodeName", pod.spec().nodeName());
        }
        json.writeArrayFieldStart("containers");
        for (Container container : pod.spec().containers()) {
            json.writeStartObject();
            json.writeStringField("name", "main");
            json.writeStringField("image", "registry.k8s.io/pause:3.10");
            json.writeObjectFieldStart("resources");
            writeQuantities(json, "requests", container.requests());
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
        writeConstraints(json, pod.spec().topologySpread());
        json.writeObjectFieldStart("affinity");
        writeTerms(json, "podAffinity", pod.spec().podAffinity().requiredAffinity());
        writeTerms(json, "podAntiAffinity", pod.spec().podAffinity().requiredAntiAffinity());
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void writeConstraints(JsonGenerator json, List<TopologySpreadConstraint> constraints)
            throws IOException {
        json.writeArrayFieldStart("topologySpreadConstraints");
        for (TopologySpreadConstraint constraint : constraints) {
            json.writeStartObject();
            json.writeNumberField("maxSkew", constraint.maxSkew());
            json.writeStringField("topologyKey", constraint.topologyKey());
            json.writeStringField("whenUnsatisfiable", constraint.isHard() ? "DoNotSchedule" : "ScheduleAnyway");
            writeSelector(json, constraint.labelSelector());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeTerms(JsonGenerator json, String field, List<PodAffinityTerm> terms) throws IOException {
        if (terms.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart(field);
        json.writeArrayFieldStart("requiredDuringSchedulingIgnoredDuringExecution");
        for (PodAffinityTerm term : terms) {
            json.writeStartObject();
            json.writeStringField("topologyKey", term.topologyKey());
            writeSelector(json, term.labelSelector());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeSelector(JsonGenerator json, LabelSelector selector) throws IOException {
        json.writeObjectFieldStart("labelSelector");
        json.writeObjectFieldStart("matchLabels");
        for (LabelRequirement requirement : selector.requirements()) {
            json.writeStringField(requirement.key(), requirement.values().getFirst());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void writeLabels(JsonGenerator json, String field, Labels labels) throws IOException {
        json.writeObjectFieldStart(field);
        for (int i = 0; i < labels.size(); i++) {
            json.writeStringField(labels.keyAt(i), labels.valueAt(i));
        }
        json.writeEndObject();
    }

    private static void writeQuantities(JsonGenerator json, String field, Map<String, Quantity> quantities)
            throws IOException {
        json.writeObjectFieldStart(field);
        for (Map.Entry<String, Quantity> quantity : quantities.entrySet()) {
            json.writeStringField(quantity.getKey(), quantity.getValue().toString());
        }
        json.writeEndObject();
    }
}
