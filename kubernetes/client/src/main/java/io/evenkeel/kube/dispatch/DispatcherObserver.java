package io.evenkeel.kube.dispatch;

import java.time.Duration;

/** An observer of the dispatcher, called by many threads. Must neither block nor throw. */
public interface DispatcherObserver {
    DispatcherObserver NONE = new DispatcherObserver() {};

    enum Drop {
        /** A newer patch of the same pod, or its binding, has taken its place. */
        SUPERSEDED,
        FULL,
        /** The object is gone, or another one by now, or its namespace is. */
        GONE,
        REFUSED,
        /** The server did not say yes for too many times. */
        EXHAUSTED,
        /** It came after the dispatcher was told to end. */
        CLOSED
    }

    /** A call to the server has ended; {@code success} is false also where it is to be tried again. */
    default void called(CommandKind kind, boolean success, Duration duration) {}

    default void retried(CommandKind kind) {}

    default void dropped(CommandKind kind, Drop why) {}

    default void folded() {}
}
