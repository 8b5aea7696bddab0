package io.evenkeel.app.cli;

/** A failure of a command that was typed correctly. The message is one line for the user. */
final class FailureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FailureException(String message, Throwable cause) {
        super(message, cause);
    }
}
