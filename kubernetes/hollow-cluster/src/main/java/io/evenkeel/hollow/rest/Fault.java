package io.evenkeel.hollow.rest;

/** The trouble with a request. */
sealed interface Fault {

    /** It is refused; a Retry-After of 0 is left out. */
    record Refuse(int code, int retryAfterSeconds) implements Fault {}

    /** It is done, but broken off before the answer. */
    record DropAnswer() implements Fault {}

    /** It is broken off before it is done. */
    record DropRequest() implements Fault {}

    /** It is done, but its connection breaks before the answer, with whatever else is underway on it. */
    record BreakConnection() implements Fault {}
}
