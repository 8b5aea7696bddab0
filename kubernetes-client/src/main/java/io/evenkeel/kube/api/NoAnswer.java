package io.evenkeel.kube.api;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;

/** Why no answer came, or not all of one, in words: exceptions of a connection that ends often have none. */
public final class NoAnswer {
    private NoAnswer() {}

    public static String why(IOException problem) {
        if (problem instanceof InterruptedIOException && "timeout".equals(problem.getMessage())) {
            return "nothing came any more, and the connection was not closed";
        }
        return Optional.ofNullable(problem.getMessage()).orElseGet(() -> switch (problem) {
            case EOFException _ -> "the connection was closed";
            default -> problem.getClass().getSimpleName();
        });
    }
}
