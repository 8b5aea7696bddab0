package io.evenkeel.hollow.fault;

/** What goes wrong with a request. */
public sealed interface Fault {

    /** It is refused; a Retry-After of 0 is left out. */
    record Refuse(int code, int retryAfterSeconds) implements Fault {}

    /** It is done, but the connection breaks before the answer. */
    record DropAnswer() implements Fault {}

    /** The connection breaks before it is done. */
    record DropRequest() implements Fault {}
}
