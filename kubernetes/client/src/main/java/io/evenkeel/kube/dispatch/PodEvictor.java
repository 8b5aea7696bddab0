package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command.Evict;
import io.evenkeel.engine.Command.PatchStatus;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.EvictionFailure;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Evicts pods: their users read in the status for whom, and then they are deleted, with the grace that they ask for. Either,
 * done twice, is the same as done once, so whatever may pass is tried again.
 */
record PodEvictor(ApiTransport transport, BooleanSupplier mayWrite, InstantSource clock) {
    private static final Logger log = LoggerFactory.getLogger(PodEvictor.class);

    Outcome evict(Evict evict, int attempts) {
        try {
            if (!isMarked(evict)) {
                Outcome marked = send(evict, mark(evict), attempts);
                if (!isDone(marked)) {
                    return marked;
                }
            }
            Outcome deleted = send(evict, delete(evict), attempts);
            if (isDone(deleted)) {
                line(log.atInfo(), "Evicted pod", evict).log();
            }
            return deleted;
        } catch (IOException noAnswer) {
            return again(evict, attempts, Optional.empty(), "no answer: " + noAnswer);
        }
    }

    /** As a pod is that was to go before, and stayed. */
    private static boolean isMarked(Evict evict) {
        PodCondition due = evict.disrupted();
        return evict.pod()
                .status()
                .disruptionTarget()
                .filter(has -> has.status().equals(due.status())
                        && has.reason().equals(due.reason())
                        && has.message().equals(due.message())
                        && has.observedGeneration() == due.observedGeneration())
                .isPresent();
    }

    private ApiCall mark(Evict evict) {
        PatchStatus patch = new PatchStatus(evict.pod(), Optional.of(evict.disrupted()), Optional.empty());
        return StatusPatcher.call(patch, clock.instant());
    }

    private static ApiCall delete(Evict evict) {
        return ApiCall.send(
                "DELETE",
                Kinds.POD.path(evict.pod().meta()),
                "application/json",
                options(evict.pod()).json());
    }

    /** DeleteOptions. Their UID makes the server refuse if another pod has taken the name. */
    private static Tree options(Pod pod) {
        Tree options = new Tree().put("apiVersion", "v1").put("kind", "DeleteOptions");
        String uid = pod.meta().uid();
        return uid.isEmpty() ? options : options.put("preconditions", new Tree().put("uid", uid));
    }

    /** The lease is looked at before each request: what a former leader has chosen to go need not go any more. */
    private Outcome send(Evict evict, ApiCall call, int attempts) throws IOException {
        if (!mayWrite.getAsBoolean()) {
            return stays(evict, "the lease was not renewed in time");
        }
        return judge(evict, Answered.write(transport, call), attempts);
    }

    private static Outcome judge(Evict evict, Answered answer, int attempts) {
        if (answer.isSuccess()) {
            return new Outcome.Done(new CommandResult.Evicted(evict.pod()));
        }
        String message = answer.status().explanation();
        if (answer.mayPass()) {
            return again(evict, attempts, answer.retryAfter(), message);
        }
        return answer.isPodGone()
                ? new Outcome.Done(new CommandResult.NotEvicted(evict.pod(), EvictionFailure.GONE, message))
                : stays(evict, message);
    }

    private static boolean isDone(Outcome outcome) {
        return outcome instanceof Outcome.Done(CommandResult.Evicted _);
    }

    private static Outcome again(Evict evict, int attempts, Optional<Duration> retryAfter, String message) {
        return attempts + 1 < Retries.MOST_ATTEMPTS ? new Outcome.TryAgain(retryAfter, message) : stays(evict, message);
    }

    /** Not evicted, as far as is known. */
    static Outcome stays(Evict evict, String message) {
        line(log.atWarn(), "Eviction failed", evict).addKeyValue("why", message).log();
        return new Outcome.Done(new CommandResult.NotEvicted(evict.pod(), EvictionFailure.FAILED, message));
    }

    private static LoggingEventBuilder line(LoggingEventBuilder level, String what, Evict evict) {
        return level.setMessage(what)
                .addKeyValue("pod", evict.pod().key())
                .addKeyValue("preemptor", evict.preemptor().key());
    }
}
