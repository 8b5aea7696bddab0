package io.evenkeel.app.http;

import java.io.IOException;
import java.io.OutputStream;

/**
 * An answer that is written while it is sent, of which no more is in memory than a buffer. Once begun it cannot fail but by
 * breaking off.
 */
public record StreamedReply(String contentType, Content content) implements Answer {
    /** Writes the content; on the thread of the request, which waits while the client reads slowly. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }
}
