package io.evenkeel.app.cli;

/** A command that was typed right and cannot be carried out. The message is one line for the user. */
final class FailureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FailureException(String message, Throwable cause) {
        super(message, cause);
    }
}
