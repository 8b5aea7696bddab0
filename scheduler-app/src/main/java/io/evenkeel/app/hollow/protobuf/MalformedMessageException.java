package io.evenkeel.app.hollow.protobuf;

/** Bytes that are not the message that they were said to be. */
final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedMessageException() {
        super("not a message, or not of this type");
    }
}
