package io.evenkeel.app.http.serve;

/** A ConfigMap of authentication that cannot be read or makes no sense. The message is one line. */
final class LookupFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    LookupFailedException(String message) {
        super(message);
    }

    LookupFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
