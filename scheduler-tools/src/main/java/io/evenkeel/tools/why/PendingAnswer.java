package io.evenkeel.tools.why;

import java.util.concurrent.CompletableFuture;

/** The answer to a question that waits in line, and before it the question's turn. */
final class PendingAnswer<T> extends CompletableFuture<T> {
    private final CompletableFuture<Void> turn = new CompletableFuture<>();

    PendingAnswer() {
        // who gives up, or is turned away, has no turn to wait for
        var _ = whenComplete((_, _) -> turn.complete(null));
    }

    void begin() {
        turn.complete(null);
    }

    /** Done as soon as the question has its turn, or none any more. */
    CompletableFuture<Void> turn() {
        return turn;
    }
}
