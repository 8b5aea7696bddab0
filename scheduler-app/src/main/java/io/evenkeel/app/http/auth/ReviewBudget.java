package io.evenkeel.app.http.auth;

import io.evenkeel.kube.api.Occurrences;
import io.evenkeel.kube.api.TokenBucket;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many reviews of one kind may be asked of the API server: as many as kube-scheduler's clients for them may. Each of these
 * waits for its turn, with its connection; here who comes too late is told to come again, so that a flood holds nothing.
 */
final class ReviewBudget {
    private static final Logger log = LoggerFactory.getLogger(ReviewBudget.class);
    private static final float A_SECOND = 200;
    private static final int AT_ONCE = 400;

    private final String what;
    private final LongSupplier nanos;
    private final TokenBucket bucket;
    private final Occurrences refusals;

    /** @param what is reviewed */
    ReviewBudget(String what, LongSupplier nanos) {
        this.what = what;
        this.nanos = nanos;
        this.bucket = new TokenBucket(A_SECOND, AT_ONCE, nanos.getAsLong());
        this.refusals = new Occurrences(Duration.ofMinutes(1), nanos);
    }

    /** @throws TooManyReviewsException if this one cannot be asked now */
    void take() throws TooManyReviewsException {
        synchronized (bucket) {
            long now = nanos.getAsLong();
            if (bucket.nanosUntilToken(now) == 0) {
                bucket.take(now);
                return;
            }
        }
        refusals.count(times -> log.atWarn()
                .setMessage("Too many clients to review, refusing some")
                .addKeyValue("review", what)
                .addKeyValue("refused", times)
                .log());
        throw new TooManyReviewsException("more than " + (int) A_SECOND + " reviews of " + what + " a second");
    }
}
