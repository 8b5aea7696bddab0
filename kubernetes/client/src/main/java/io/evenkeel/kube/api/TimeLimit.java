package io.evenkeel.kube.api;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Gives up on a call that takes too long. The transport's own limit is too long for an election, and does not hold for
 * all that may come before a request, such as a program that is to hand out a token.
 */
@FunctionalInterface
public interface TimeLimit {

    /** A call and the reading of its answer. */
    @FunctionalInterface
    interface Exchange {
        Answered run() throws IOException;
    }

    /**
     * The answer, if it comes in time.
     *
     * @throws IOException if the call fails or is not over in time; whether it was carried out is not known then
     */
    Answered within(long nanos, Exchange exchange) throws IOException;

    /** Lets each call run on a thread of its own, which gets its time however busy others are, and is interrupted when its time is over and left to itself. */
    static Answered onOwnThread(long nanos, Exchange exchange) throws IOException {
        FutureTask<Answered> call = new FutureTask<>(exchange::run);
        Thread.ofPlatform().daemon().name("lease-call").start(call);
        try {
            return call.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            call.cancel(true);
            throw new IOException("no answer within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms", late);
        } catch (InterruptedException asked) {
            call.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the answer");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException problem
                    ? problem
                    : new IOException(String.valueOf(failed.getCause()), failed.getCause());
        }
    }
}
