package io.evenkeel.hollow.encoding;

/** Bytes that are not the message that they were said to be. */
public final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedMessageException(String what) {
        super(what, null, false, false);
    }
}
