package io.evenkeel.tools.why.api;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How long somebody waits for an answer: for so long until it is the question's turn, and from then on for so long again, so
 * that no question has less time for the ones that came before it. An asker that has waited for too long gives up.
 *
 * @param waiting how this thread waits
 */
record Patience(Waiting waiting) {
    private static final Duration FOR_THE_TURN = Duration.ofSeconds(15);
    private static final Duration FOR_THE_ANSWER = Duration.ofSeconds(10);

    /** Waits until something is done, or for so long; handed in, so that tests need not. */
    @FunctionalInterface
    interface Waiting {
        void until(Future<?> done, Duration longest) throws InterruptedException, ExecutionException, TimeoutException;
    }

    static final Patience OF_A_CLIENT =
            new Patience((done, longest) -> done.get(longest.toNanos(), TimeUnit.NANOSECONDS));

    /** @throws ImpatientException where it takes too long */
    <T> T await(PendingAnswer<T> answer) throws ExecutionException, InterruptedException, ImpatientException {
        try {
            await(answer.turn(), FOR_THE_TURN, "it was not the question's turn within %d seconds, as others wait too");
            await(answer, FOR_THE_ANSWER, "no answer within %d seconds");
            return answer.get();
        } finally {
            answer.cancel(false);
        }
    }

    private void await(Future<?> done, Duration longest, String late)
            throws ExecutionException, InterruptedException, ImpatientException {
        try {
            waiting.until(done, longest);
        } catch (TimeoutException _) {
            throw new ImpatientException(late.formatted(longest.toSeconds()));
        }
    }
}
