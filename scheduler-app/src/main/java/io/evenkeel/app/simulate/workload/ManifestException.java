package io.evenkeel.app.simulate.workload;

import io.evenkeel.problem.UserProblem;

/** A manifest, or a change of the cluster that is asked for, makes no sense; the message has a line for each mistake. */
public final class ManifestException extends UserProblem {
    private static final long serialVersionUID = 1L;

    public ManifestException(String message) {
        super(message);
    }
}
