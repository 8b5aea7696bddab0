package io.evenkeel.tools.why;

/** The asker does not wait for the answer any more, so that it was not worked out to its end. */
public final class CancelledQuestionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CancelledQuestionException() {
        super("nobody waits for the answer any more");
    }
}
