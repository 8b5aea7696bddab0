package io.evenkeel.hollow.rest;

import java.io.IOException;
import java.io.OutputStream;

/** The body of an answer. */
public sealed interface ReplyBody {

    void writeTo(OutputStream out) throws IOException, InterruptedException;

    @SuppressWarnings("ArrayRecordComponent") // nobody compares bodies
    record Whole(byte[] bytes) implements ReplyBody {
        @Override
        public void writeTo(OutputStream out) throws IOException {
            out.write(bytes);
        }
    }

    /** Written while it is worked out, as it is long or takes long. What is flushed goes out at once. */
    @FunctionalInterface
    non-sealed interface Stream extends ReplyBody {}
}
