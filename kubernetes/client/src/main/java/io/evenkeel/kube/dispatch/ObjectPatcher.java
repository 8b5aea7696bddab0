package io.evenkeel.kube.dispatch;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.engine.Command.WriteObject;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import java.io.IOException;
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
                withVersion(patch).json());
    }

    /** The server refuses where the object has another version by now. */
    private static Tree withVersion(ObjectPatch patch) {
        Tree metadata = new Tree().putNonEmpty("resourceVersion", patch.object().resourceVersion());
        if (patch.changes().get("metadata") instanceof Map<?, ?> changed) {
            tree(changed).fields().forEach(metadata::put);
        }
        return tree(patch.changes()).put("metadata", metadata);
    }

    /** Of objects and texts; whatever else there is cannot be cast, and is not written. */
    private static Tree tree(Map<?, ?> fields) {
        Tree tree = new Tree();
        fields.forEach((field, value) ->
                tree.put((String) field, value instanceof Map<?, ?> inner ? tree(inner) : (String) value));
        return tree;
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
