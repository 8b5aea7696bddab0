package io.evenkeel.tools.why;

/** A question that makes no sense. The message is one line for the asker. */
public final class BadQuestionException extends Exception {
    private static final long serialVersionUID = 1L;

    public BadQuestionException(String message) {
        super(message);
    }
}
