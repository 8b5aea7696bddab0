package io.evenkeel.kube.client.http2;

import java.io.IOException;

/** The outcome of a call. */
public sealed interface CallEnd {
    /** The whole answer is there. */
    record Answered(Reply reply) implements CallEnd {}

    /**
     * There will be no answer.
     *
     * @param isUntouched whether it is certain that the server has done nothing about the call, so that it may be made again
     */
    record Failed(IOException why, boolean isUntouched) implements CallEnd {}
}
