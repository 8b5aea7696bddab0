package io.evenkeel.app.http.serve;

import io.evenkeel.problem.UserProblem;

/** A configuration with which nothing can be served. The message is one line that names the option. */
public final class ServingException extends UserProblem {
    private static final long serialVersionUID = 1L;

    public ServingException(String option, String problem) {
        super(option + ": " + problem);
    }

    public ServingException(String option, Exception problem) {
        super(option + ": " + problem.getMessage(), problem);
    }
}
