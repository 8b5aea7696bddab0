package io.evenkeel.kube.client.http2;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The outcome of a call. */
public sealed interface CallEnd {
    record Answered(Reply reply) implements CallEnd {}

    /**
     * There will be no answer.
     *
     * @param isUntouched whether it is certain that the server has done nothing about the call, so that it may be made again
     */
    record Failed(IOException why, boolean isUntouched) implements CallEnd {}

    /**
     * An answer that is there as a whole.
     *
     * @param headers the headers of {@link ResponseHeaders#KEPT}
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares replies
    record Reply(int code, Map<String, String> headers, byte[] body) {
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }
    }
}
