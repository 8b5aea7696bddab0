package io.evenkeel.kube.dispatch;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.engine.Command.PatchGroup;
import io.evenkeel.engine.Command.PatchStatus;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTime;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes conditions and nominated nodes into pods, and conditions into groups, by strategic merge patches, where conditions are
 * merged by type. A UID in them spares another object of the name. Written twice they are the same, so whatever may pass is
 * tried again.
 */
record StatusPatcher(ApiTransport transport, BooleanSupplier mayWrite, InstantSource clock) {
    private static final Logger log = LoggerFactory.getLogger(StatusPatcher.class);
    private static final String STRATEGIC_MERGE = "application/strategic-merge-patch+json";

    /**
     * A patch to send.
     *
     * @param resource of the object, by which the server says that it is gone
     * @param written where it was
     */
    private record Patch(ApiCall call, String resource, Runnable written) {}

    Outcome patch(PatchStatus patch, int attempts) {
        return send(patchOf(patch), attempts);
    }

    Outcome patch(PatchGroup patch, int attempts) {
        return send(patchOf(patch), attempts);
    }

    /** Without waiting for the answer; false where that cannot be. */
    boolean begin(PatchStatus patch, int attempts, Consumer<Supplier<Outcome>> ended) {
        return begin(patchOf(patch), attempts, ended);
    }

    /** Without waiting for the answer; false where that cannot be. */
    boolean begin(PatchGroup patch, int attempts, Consumer<Supplier<Outcome>> ended) {
        return begin(patchOf(patch), attempts, ended);
    }

    private Outcome send(Patch patch, int attempts) {
        // A former leader's condition would overwrite the new leader's.
        return mayWrite.getAsBoolean()
                ? write(patch, attempts).carryOut(transport)
                : new Outcome.Dropped(Drop.NOT_LEADING, "the lease was not renewed in time");
    }

    private boolean begin(Patch patch, int attempts, Consumer<Supplier<Outcome>> ended) {
        return mayWrite.getAsBoolean() && write(patch, attempts).begin(transport, ended);
    }

    private static Write write(Patch patch, int attempts) {
        return new Write(
                patch.call,
                answer -> judge(patch, answer, attempts),
                noAnswer -> Retries.again(attempts, Optional.empty(), "no answer: " + noAnswer));
    }

    private static Outcome judge(Patch patch, Answered answer, int attempts) {
        if (answer.isSuccess()) {
            patch.written.run();
            return new Outcome.Silent();
        }
        String message = answer.status().explanation();
        return answer.mayPass()
                ? Retries.again(attempts, answer.retryAfter(), message)
                : new Outcome.Dropped(answer.isGone(patch.resource) ? Drop.GONE : Drop.REFUSED, message);
    }

    private Patch patchOf(PatchGroup patch) {
        GroupCondition condition = patch.condition();
        Tree written = new Tree().put("type", condition.type()).put("status", condition.status());
        if (condition.observedGeneration() > 0) {
            written.put("observedGeneration", condition.observedGeneration());
        }
        String since = condition.lastTransitionTime();
        written.put("lastTransitionTime", since.isEmpty() ? ApiTime.seconds(clock.instant()) : since)
                .put("reason", condition.reason())
                .put("message", condition.message());
        Tree body = new Tree();
        if (!patch.group().uid().isEmpty()) {
            body.put("metadata", new Tree().put("uid", patch.group().uid()));
        }
        body.put("status", new Tree().put("conditions", List.of(written)));
        ApiCall call =
                ApiCall.send("PATCH", patch.kind().path(patch.group()) + "/status", STRATEGIC_MERGE, body.json());
        return new Patch(
                call,
                patch.kind().plural(),
                () -> log.atDebug()
                        .setMessage("Updated group condition")
                        .addKeyValue("group", patch.group().key())
                        .addKeyValue("reason", condition.reason())
                        .addKeyValue("message", condition.message())
                        .log());
    }

    private Patch patchOf(PatchStatus patch) {
        return new Patch(call(patch, clock.instant()), Kinds.POD.plural(), () -> log(patch));
    }

    private static void log(PatchStatus patch) {
        patch.condition()
                .ifPresent(condition -> log.atDebug()
                        .setMessage("Updated pod condition")
                        .addKeyValue("pod", patch.pod().key())
                        .addKeyValue("reason", condition.reason())
                        .addKeyValue("message", condition.message())
                        .log());
        patch.nominatedNodeName()
                .ifPresent(node -> log.atDebug()
                        .setMessage("Updated pod nomination")
                        .addKeyValue("pod", patch.pod().key())
                        .addKeyValue("nominatedNodeName", node)
                        .log());
    }

    static ApiCall call(PatchStatus patch, Instant now) {
        return ApiCall.send("PATCH", Kinds.POD.path(patch.pod().meta()) + "/status", STRATEGIC_MERGE, body(patch, now));
    }

    private static String body(PatchStatus patch, Instant now) {
        return JsonText.object(json -> {
            if (!patch.pod().meta().uid().isEmpty()) {
                json.writeObjectFieldStart("metadata");
                json.writeStringField("uid", patch.pod().meta().uid());
                json.writeEndObject();
            }
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
