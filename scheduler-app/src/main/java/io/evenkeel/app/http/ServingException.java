package io.evenkeel.app.http;

/** What is to be served cannot be, as things are configured. The message is one line that names the option. */
public final class ServingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServingException(String option, String problem) {
        super(option + ": " + problem);
    }

    ServingException(String option, Exception problem) {
        super(option + ": " + problem.getMessage(), problem);
    }
}
