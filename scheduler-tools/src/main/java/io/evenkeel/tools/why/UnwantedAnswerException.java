package io.evenkeel.tools.why;

/** The asker does not wait for the answer any more, so that it was not worked out to its end. */
public final class UnwantedAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnwantedAnswerException() {
        super("nobody waits for the answer any more");
    }
}
