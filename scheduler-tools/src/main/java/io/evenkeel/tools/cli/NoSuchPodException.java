package io.evenkeel.tools.cli;

import io.evenkeel.problem.UserProblem;

/** The pod that is asked about is not there, or not any more. */
final class NoSuchPodException extends UserProblem {
    private static final long serialVersionUID = 1L;

    /** @param pod as {@code namespace/name} */
    NoSuchPodException(String pod, String host) {
        super("there is no pod " + pod + " in " + host + ", or it has finished");
    }
}
