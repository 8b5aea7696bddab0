package io.evenkeel.kube.dispatch;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.api.ObjectPatch;
import io.evenkeel.engine.Command.WriteObject;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.model.Pod;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what a pod needs before it is bound. An object is changed only from the version that was decided on. */
record ObjectPatcher(ApiTransport transport, BooleanSupplier mayWrite) {
    private static final Logger log = LoggerFactory.getLogger(ObjectPatcher.class);

    Outcome write(WriteObject write, int attempts) {
        if (!mayWrite.getAsBoolean()) {
            return new Outcome.Done(new CommandResult.NotWritten(
                    write.pod(), WriteFailure.NOT_LEADING, "the lease was not renewed in time"));
        }
        try {
            Answered answer = Answered.write(transport, call(write.patch()));
            if (answer.isSuccess()) {
                log(write.pod(), write.patch());
                return new Outcome.Done(new CommandResult.Written(write.pod()));
            }
            String message = answer.status().explanation();
            return answer.mayPass() && attempts + 1 < Retries.MOST_ATTEMPTS
                    ? new Outcome.TryAgain(answer.retryAfter(), message)
                    : failed(write, message);
        } catch (IOException noAnswer) {
            return failed(write, "no answer: " + noAnswer);
        }
    }

    static Outcome failed(WriteObject write, String message) {
        return new Outcome.Done(new CommandResult.NotWritten(write.pod(), WriteFailure.FAILED, message));
    }

    private static ApiCall call(ObjectPatch patch) {
        return ApiCall.send(
                "PATCH",
                patch.kind().path(patch.object()),
                "application/merge-patch+json",
                JsonText.object(json -> writeFields(json, withVersion(patch))));
    }

    /** The server refuses where the object has another version by now. */
    private static Map<String, Object> withVersion(ObjectPatch patch) {
        Map<String, Object> changes = new LinkedHashMap<>(patch.changes());
        Map<String, Object> metadata = new LinkedHashMap<>();
        if (!patch.object().resourceVersion().isEmpty()) {
            metadata.put("resourceVersion", patch.object().resourceVersion());
        }
        if (patch.changes().get("metadata") instanceof Map<?, ?> changed) {
            changed.forEach((field, value) -> metadata.put((String) field, value));
        }
        changes.put("metadata", metadata);
        return changes;
    }

    private static void writeFields(JsonGenerator json, Map<?, ?> fields) throws IOException {
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            json.writeFieldName((String) field.getKey());
            if (field.getValue() instanceof Map<?, ?> inner) {
                json.writeStartObject();
                writeFields(json, inner);
                json.writeEndObject();
            } else {
                json.writeString((String) field.getValue());
            }
        }
    }

    private static void log(Pod pod, ObjectPatch patch) {
        log.atDebug()
                .setMessage("Wrote an object for a pod")
                .addKeyValue("pod", pod.key())
                .addKeyValue("kind", patch.kind().name())
                .addKeyValue("object", patch.object().key())
                .log();
    }
}
