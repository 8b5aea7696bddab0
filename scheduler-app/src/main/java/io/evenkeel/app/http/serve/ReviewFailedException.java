package io.evenkeel.app.http.serve;

/** The API server could not be asked, or gave no answer to the question. */
class ReviewFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    ReviewFailedException(String message) {
        super(message);
    }

    ReviewFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
