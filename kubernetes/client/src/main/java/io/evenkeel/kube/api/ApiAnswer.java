package io.evenkeel.kube.api;

import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;

/**
 * The API server's answer. To be closed by the thread that reads it, which also ends a stream that has not been read to
 * its end.
 */
public interface ApiAnswer extends AutoCloseable {
    int code();

    /** Empty where the server did not say. */
    String contentType();

    /** Whether the server chose protobuf; whatever else it says is taken for JSON. */
    default boolean isProtobuf() {
        return contentType().startsWith("application/vnd.kubernetes.protobuf");
    }

    /** The time that the header Retry-After asks for. */
    Optional<Duration> retryAfter();

    /** The body as it comes in. */
    InputStream body();

    /** From now on a body that says nothing for so long is given up; by the thread that reads it. */
    default void expectWithin(Duration silence) {}

    /** Ends what comes in, from any thread: reading the body fails, and its reader closes the answer. */
    void cutOff();

    @Override
    void close();
}
