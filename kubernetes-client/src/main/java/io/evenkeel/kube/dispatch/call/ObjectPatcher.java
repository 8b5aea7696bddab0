package io.evenkeel.kube.dispatch.call;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.engine.Command.WriteObjects;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.framework.cycle.ObjectPatch;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.kube.dispatch.plan.Outcome;
import io.evenkeel.kube.dispatch.plan.Retries;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what a pod needs before it is bound. Each object is changed only from the version that was decided on. The first
 * request is tried again where that may help; after it, the pod had better be decided anew.
 */
final class ObjectPatcher {
    private static final Logger log = LoggerFactory.getLogger(ObjectPatcher.class);

    private final ApiTransport transport;
    private final BooleanSupplier mayWrite;

    ObjectPatcher(ApiTransport transport, BooleanSupplier mayWrite) {
        this.transport = transport;
        this.mayWrite = mayWrite;
    }

    Outcome write(WriteObjects write, int attempts) {
        boolean isFirst = true;
        for (ObjectPatch patch : write.patches()) {
            if (!mayWrite.getAsBoolean()) {
                return new Outcome.Done(new CommandResult.NotWritten(
                        write.pod(), WriteFailure.NOT_LEADING, "the lease was not renewed in time"));
            }
            try {
                Answered answer = Answered.write(transport, call(patch));
                if (!answer.isSuccess()) {
                    String message = answer.status().explanation();
                    return isFirst && answer.mayPass() && attempts + 1 < Retries.MOST_ATTEMPTS
                            ? new Outcome.TryAgain(answer.retryAfter(), message)
                            : failed(write, message);
                }
            } catch (IOException noAnswer) {
                return failed(write, "no answer: " + noAnswer);
            }
            log(write, patch);
            isFirst = false;
        }
        return new Outcome.Done(new CommandResult.Written(write.pod()));
    }

    static Outcome failed(WriteObjects write, String message) {
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

    private static void log(WriteObjects write, ObjectPatch patch) {
        log.atDebug()
                .setMessage("Wrote an object for a pod")
                .addKeyValue("pod", write.pod().key())
                .addKeyValue("kind", patch.kind().name())
                .addKeyValue("object", patch.object().key())
                .log();
    }
}
