package io.evenkeel.kube.dispatch;

import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Write;
import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Sends patches of statuses. Written twice they are the same, so whatever may pass is tried again. */
final class StatusWriter {
    /**
     * A patch to send.
     *
     * @param resource of the object, by which the server says that it is gone
     * @param written where it was
     */
    record Patch(ApiCall call, String resource, Runnable written) {}

    private final ApiTransport transport;
    private final BooleanSupplier mayWrite;

    StatusWriter(ApiTransport transport, BooleanSupplier mayWrite) {
        this.transport = transport;
        this.mayWrite = mayWrite;
    }

    Outcome send(Patch patch, int attempts) {
        // A former leader's condition would overwrite the new leader's.
        return mayWrite.getAsBoolean()
                ? write(patch, attempts).carryOut(transport)
                : new Outcome.Dropped(Drop.NOT_LEADING, "the lease was not renewed in time");
    }

    /** Without waiting for the answer; false where that cannot be. */
    boolean begin(Patch patch, int attempts, Consumer<Supplier<Outcome>> ended) {
        return mayWrite.getAsBoolean() && write(patch, attempts).begin(transport, ended);
    }

    private static Write<Outcome> write(Patch patch, int attempts) {
        return new Write<>(
                patch.call(),
                answer -> judge(patch, answer, attempts),
                noAnswer -> again(attempts, Optional.empty(), "no answer: " + noAnswer));
    }

    private static Outcome judge(Patch patch, Answered answer, int attempts) {
        if (answer.isSuccess()) {
            patch.written().run();
            return new Outcome.Silent();
        }
        String message = answer.status().explanation();
        return answer.mayPass()
                ? again(attempts, answer.retryAfter(), message)
                : new Outcome.Dropped(answer.isGone(patch.resource()) ? Drop.GONE : Drop.REFUSED, message);
    }

    private static Outcome again(int attempts, Optional<Duration> retryAfter, String message) {
        return attempts + 1 < Retries.MOST_ATTEMPTS
                ? new Outcome.TryAgain(retryAfter, message)
                : new Outcome.Dropped(Drop.EXHAUSTED, message);
    }
}
