package io.evenkeel.kube.dispatch;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.engine.Command.PatchStatus;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTime;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.kube.api.PodPath;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import java.io.IOException;
import java.time.Instant;

/** A strategic merge patch of a pod's status, where conditions are merged by type. Its UID spares another pod of the name. */
final class StatusPatch {
    static final String STRATEGIC_MERGE = "application/strategic-merge-patch+json";

    private StatusPatch() {}

    static ApiCall call(PatchStatus patch, Instant now) {
        return ApiCall.send("PATCH", PodPath.of(patch.pod()) + "/status", STRATEGIC_MERGE, body(patch, now));
    }

    private static String body(PatchStatus patch, Instant now) {
        return JsonText.object(json -> {
            writeUid(json, patch.pod().meta());
            json.writeObjectFieldStart("status");
            if (patch.condition().isPresent()) {
                json.writeArrayFieldStart("conditions");
                writeCondition(json, patch.pod(), patch.condition().get(), now);
                json.writeEndArray();
            }
            if (patch.nominatedNodeName().isPresent()) {
                writeOrClear(
                        json, "nominatedNodeName", patch.nominatedNodeName().get());
            }
            json.writeEndObject();
        });
    }

    static void writeUid(JsonGenerator json, ObjectMeta object) throws IOException {
        if (!object.uid().isEmpty()) {
            json.writeObjectFieldStart("metadata");
            json.writeStringField("uid", object.uid());
            json.writeEndObject();
        }
    }

    private static void writeCondition(JsonGenerator json, Pod pod, PodCondition condition, Instant now)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("type", condition.type());
        if (condition.observedGeneration() > 0) {
            json.writeNumberField("observedGeneration", condition.observedGeneration());
        }
        json.writeStringField("status", condition.status());
        json.writeNullField("lastProbeTime");
        json.writeStringField("lastTransitionTime", transitionTime(pod, condition, now));
        writeOrClear(json, "reason", condition.reason());
        writeOrClear(json, "message", condition.message());
        json.writeEndObject();
    }

    /** The engine reads no clock: where it gives no time, it is now, unless the pod has had that status before. */
    private static String transitionTime(Pod pod, PodCondition condition, Instant now) {
        if (!condition.lastTransitionTime().isEmpty()) {
            return condition.lastTransitionTime();
        }
        return pod.status()
                .scheduled()
                .filter(before -> before.type().equals(condition.type())
                        && before.status().equals(condition.status())
                        && !before.lastTransitionTime().isEmpty())
                .map(PodCondition::lastTransitionTime)
                .orElseGet(() -> ApiTime.seconds(now));
    }

    private static void writeOrClear(JsonGenerator json, String field, String value) throws IOException {
        if (value.isEmpty()) {
            json.writeNullField(field);
        } else {
            json.writeStringField(field, value);
        }
    }
}
