package io.evenkeel.app.http;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** What is to be served cannot be, as things are configured. The message is one line that names the option. */
public final class ServingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServingException(String option, String problem) {
        super(option + ": " + problem);
    }

    ServingException(String option, IOException problem) {
        super(option + ": " + reason(problem), problem);
    }

    private static String reason(IOException problem) {
        return switch (problem) {
            case NoSuchFileException missing -> missing.getFile() + " does not exist";
            case AccessDeniedException denied -> denied.getFile() + " may not be read";
            default -> problem.getMessage() == null ? problem.toString() : problem.getMessage();
        };
    }
}
