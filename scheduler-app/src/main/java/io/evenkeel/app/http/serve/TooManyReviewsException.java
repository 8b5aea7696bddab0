package io.evenkeel.app.http.serve;

/** The API server was not asked, as it is asked so much already. */
final class TooManyReviewsException extends ReviewFailedException {
    private static final long serialVersionUID = 1L;

    TooManyReviewsException(String message) {
        super(message);
    }
}
