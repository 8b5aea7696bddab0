package io.evenkeel.app.http;

import java.util.Optional;

/** A guard that lets a request pass or answers it; called by several threads at once, and may block. */
@FunctionalInterface
public interface AccessControl {
    AccessControl OPEN_TO_ALL = request -> Optional.empty();

    /** Empty lets the request pass; else this is the answer. */
    Optional<Reply> refusal(Request request);
}
