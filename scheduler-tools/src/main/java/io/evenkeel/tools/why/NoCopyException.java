package io.evenkeel.tools.why;

import java.time.Duration;

/** The copy that would answer has to be made again, and that may not be yet. */
public final class NoCopyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration pause;

    NoCopyException(long nanos) {
        super("the copy of the cluster that answers is made anew after a pause, as the last one could not follow");
        pause = Duration.ofNanos(nanos);
    }

    /** How long it is until it may be made, in whole seconds, at least one. */
    long seconds() {
        return Math.max(1, pause.plusNanos(999_999_999).toSeconds());
    }
}
