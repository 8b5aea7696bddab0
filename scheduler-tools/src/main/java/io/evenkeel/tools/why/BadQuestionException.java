package io.evenkeel.tools.why;

/** A question that makes no sense. The message is one line for the asker. */
final class BadQuestionException extends Exception {
    private static final long serialVersionUID = 1L;

    BadQuestionException(String message) {
        super(message);
    }
}
