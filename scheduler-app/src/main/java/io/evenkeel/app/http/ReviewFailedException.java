package io.evenkeel.app.http;

/** The API server could not be asked, or gave no answer to the question. */
final class ReviewFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    ReviewFailedException(String message) {
        super(message);
    }

    ReviewFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
