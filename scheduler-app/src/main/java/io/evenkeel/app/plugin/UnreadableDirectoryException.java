package io.evenkeel.app.plugin;

import io.evenkeel.problem.UserProblem;

/** There is no directory of plugins where one was named. The message is one line. */
final class UnreadableDirectoryException extends UserProblem {
    private static final long serialVersionUID = 1L;

    UnreadableDirectoryException(String message) {
        super(message);
    }
}
