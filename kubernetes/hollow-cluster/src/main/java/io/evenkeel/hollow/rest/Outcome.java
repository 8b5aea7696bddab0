package io.evenkeel.hollow.rest;

/** The outcome of a request. */
sealed interface Outcome {

    record Answered(ApiReply reply) implements Outcome {}

    /**
     * It ends without an answer. Over HTTP/2 its stream is reset, as a real server does where a handler gives up, and nothing else
     * on the connection is touched; over HTTP/1.1 the connection is closed, which has nothing else on it.
     */
    record BrokenOff() implements Outcome {}

    /** The connection breaks, and with it whatever else is underway on it: the network has failed. */
    record Disconnected() implements Outcome {}

    /** As HTTP has it; 0 where there is no answer. */
    default int code() {
        return this instanceof Answered(ApiReply reply) ? reply.code() : 0;
    }
}
