package io.evenkeel.app.http;

import java.util.Optional;

/** A guard that lets a request pass or answers it; called by several threads at once, and may block. */
@FunctionalInterface
public interface AccessControl {
    AccessControl OPEN_TO_ALL = Passed::new;

    /** Whether a request passes. */
    sealed interface Admission {}

    /** It does, with the name of its user where that is known. */
    record Passed(Request request) implements Admission {}

    /** It does not; this is the answer. */
    record TurnedAway(Reply reply) implements Admission {}

    Admission admission(Request request);

    default Optional<Reply> refusal(Request request) {
        return admission(request) instanceof TurnedAway(var reply) ? Optional.of(reply) : Optional.empty();
    }
}
