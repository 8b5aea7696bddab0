package io.evenkeel.app.http.auth;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tells that reviews of one kind fail: a warning for the first, and debug lines until the API server has answered one of
 * that kind. What is remembered of earlier answers, and what needs no review, is no such answer.
 */
final class ReviewWarnings {
    private static final Logger log = LoggerFactory.getLogger(ReviewWarnings.class);

    private final String what;
    private final AtomicBoolean failing = new AtomicBoolean();

    /** @param what is reviewed */
    ReviewWarnings(String what) {
        this.what = what;
    }

    void answered() {
        failing.set(false);
    }

    void report(ReviewFailedException failure) {
        log.atLevel(failing.getAndSet(true) ? Level.DEBUG : Level.WARN)
                .setMessage("Cannot review")
                .addKeyValue("review", what)
                .addKeyValue("why", failure.getMessage())
                .log();
    }
}
