package io.evenkeel.app.http;

import java.util.Optional;

/** Who may ask for what; called by several threads at once, and may take its time. */
@FunctionalInterface
public interface AccessControl {
    AccessControl OPEN_TO_ALL = request -> Optional.empty();

    /** Empty lets the request pass; else this is the answer. */
    Optional<Reply> refusal(Request request);
}
