package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command.PatchGroup;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTime;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.model.GroupCondition;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes conditions into groups of pods, as {@link StatusPatch} does into pods. */
final class GroupPatcher {
    private static final Logger log = LoggerFactory.getLogger(GroupPatcher.class);

    private final StatusWriter writer;
    private final InstantSource clock;

    GroupPatcher(StatusWriter writer, InstantSource clock) {
        this.writer = writer;
        this.clock = clock;
    }

    Outcome patch(PatchGroup patch, int attempts) {
        return writer.send(patchOf(patch), attempts);
    }

    /** Without waiting for the answer; false where that cannot be. */
    boolean begin(PatchGroup patch, int attempts, Consumer<Supplier<Outcome>> ended) {
        return writer.begin(patchOf(patch), attempts, ended);
    }

    private StatusWriter.Patch patchOf(PatchGroup patch) {
        ApiCall call = ApiCall.send(
                "PATCH",
                patch.kind().path(patch.group()) + "/status",
                StatusPatch.STRATEGIC_MERGE,
                body(patch, clock.instant()));
        return new StatusWriter.Patch(call, patch.kind().plural(), () -> log(patch));
    }

    private static String body(PatchGroup patch, Instant now) {
        GroupCondition condition = patch.condition();
        return JsonText.object(json -> {
            StatusPatch.writeUid(json, patch.group());
            json.writeObjectFieldStart("status");
            json.writeArrayFieldStart("conditions");
            json.writeStartObject();
            json.writeStringField("type", condition.type());
            json.writeStringField("status", condition.status());
            if (condition.observedGeneration() > 0) {
                json.writeNumberField("observedGeneration", condition.observedGeneration());
            }
            String since = condition.lastTransitionTime();
            json.writeStringField("lastTransitionTime", since.isEmpty() ? ApiTime.seconds(now) : since);
            json.writeStringField("reason", condition.reason());
            json.writeStringField("message", condition.message());
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void log(PatchGroup patch) {
        log.atDebug()
                .setMessage("Updated group condition")
                .addKeyValue("group", patch.group().key())
                .addKeyValue("reason", patch.condition().reason())
                .addKeyValue("message", patch.condition().message())
                .log();
    }
}
