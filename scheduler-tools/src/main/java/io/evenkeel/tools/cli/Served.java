package io.evenkeel.tools.cli;

import java.time.Duration;
import java.util.Optional;

/** The result of a question to an Evenkeel that may run in the cluster. */
sealed interface Served {

    /** The answer, in the format that was asked for. */
    record Told(String answer) implements Served {}

    /** There is no such pod, or it has finished. */
    record NoSuchPod(String host) implements Served {}

    /** No Evenkeel serves answers there, or none to this user. */
    record NotServed() implements Served {}

    /** The API server itself is not reached. */
    record Unreached(String host, String why) implements Served {
        String told() {
            return "the API server " + host + " does not answer: " + why;
        }
    }

    /**
     * The server gave no answer.
     *
     * @param retryAfter when to ask again, where that was said
     */
    record Failed(String why, Optional<Duration> retryAfter) implements Served {}
}
