package io.evenkeel.kube.dispatch.call;

import io.evenkeel.engine.Command.PatchStatus;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Write;
import io.evenkeel.kube.dispatch.plan.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.plan.Outcome;
import io.evenkeel.kube.dispatch.plan.Retries;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes conditions and nominated nodes into pods. Written twice they are the same, so whatever may pass is tried again. */
final class StatusPatcher {
    private static final Logger log = LoggerFactory.getLogger(StatusPatcher.class);

    private final ApiTransport transport;
    private final BooleanSupplier mayWrite;
    private final InstantSource clock;

    StatusPatcher(ApiTransport transport, BooleanSupplier mayWrite, InstantSource clock) {
        this.transport = transport;
        this.mayWrite = mayWrite;
        this.clock = clock;
    }

    Outcome patch(PatchStatus patch, int attempts) {
        Write<Outcome> write = write(patch, attempts);
        // A former leader's condition would overwrite the new leader's.
        return mayWrite.getAsBoolean()
                ? write.carryOut(transport)
                : new Outcome.Dropped(Drop.NOT_LEADING, "the lease was not renewed in time");
    }

    /** Without waiting for the answer; false where that cannot be. */
    boolean begin(PatchStatus patch, int attempts, Consumer<Supplier<Outcome>> ended) {
        return mayWrite.getAsBoolean() && write(patch, attempts).begin(transport, ended);
    }

    private Write<Outcome> write(PatchStatus patch, int attempts) {
        return new Write<>(
                StatusPatch.call(patch, clock.instant()),
                answer -> {
                    if (answer.isSuccess()) {
                        log(patch);
                    }
                    return judge(answer, attempts);
                },
                noAnswer -> again(attempts, Optional.empty(), "no answer: " + noAnswer));
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

    private static Outcome judge(Answered answer, int attempts) {
        if (answer.isSuccess()) {
            return new Outcome.Silent();
        }
        String message = answer.status().explanation();
        return answer.mayPass()
                ? again(attempts, answer.retryAfter(), message)
                : new Outcome.Dropped(answer.isPodGone() ? Drop.GONE : Drop.REFUSED, message);
    }

    private static Outcome again(int attempts, Optional<Duration> retryAfter, String message) {
        return attempts + 1 < Retries.MOST_ATTEMPTS
                ? new Outcome.TryAgain(retryAfter, message)
                : new Outcome.Dropped(Drop.EXHAUSTED, message);
    }
}
