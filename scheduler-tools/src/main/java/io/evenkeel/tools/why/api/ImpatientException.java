package io.evenkeel.tools.why.api;

/** The asker has waited for too long. The message is one line for them. */
final class ImpatientException extends Exception {
    private static final long serialVersionUID = 1L;

    ImpatientException(String message) {
        super(message);
    }
}
