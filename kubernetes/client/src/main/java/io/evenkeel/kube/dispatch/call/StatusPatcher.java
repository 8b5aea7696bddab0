package io.evenkeel.kube.dispatch.call;

import io.evenkeel.engine.Command.PatchStatus;
import io.evenkeel.kube.dispatch.plan.Outcome;
import io.evenkeel.model.kind.Kinds;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes conditions and nominated nodes into pods. */
final class StatusPatcher {
    private static final Logger log = LoggerFactory.getLogger(StatusPatcher.class);

    private final StatusWriter writer;
    private final InstantSource clock;

    StatusPatcher(StatusWriter writer, InstantSource clock) {
        this.writer = writer;
        this.clock = clock;
    }

    Outcome patch(PatchStatus patch, int attempts) {
        return writer.send(patchOf(patch), attempts);
    }

    /** Without waiting for the answer; false where that cannot be. */
    boolean begin(PatchStatus patch, int attempts, Consumer<Supplier<Outcome>> ended) {
        return writer.begin(patchOf(patch), attempts, ended);
    }

    private StatusWriter.Patch patchOf(PatchStatus patch) {
        return new StatusWriter.Patch(StatusPatch.call(patch, clock.instant()), Kinds.POD.plural(), () -> log(patch));
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
}
