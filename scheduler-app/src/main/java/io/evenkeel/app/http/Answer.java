package io.evenkeel.app.http;

import java.io.IOException;
import java.io.OutputStream;

/** An answer to a request: a {@link Reply}, complete in memory, or a {@link StreamedReply}, made while it is sent. */
public sealed interface Answer permits Reply, Answer.StreamedReply {
    String contentType();

    /**
     * An answer that is written while it is sent, with no more in memory than a buffer. Once begun it cannot fail but by
     * breaking off.
     *
     * @param end is run once when nothing is to be written any more, be it that nothing was
     */
    record StreamedReply(String contentType, Content content, Runnable end) implements Answer {
        private static final String EVENTS = "text/event-stream";

        public StreamedReply(String contentType, Content content) {
            this(contentType, content, () -> {});
        }

        /** Events as they come, for a browser; each is to be flushed. */
        public static StreamedReply ofEvents(Content content, Runnable end) {
            return new StreamedReply(EVENTS, content, end);
        }

        /** Whether the client is to have each piece at once: compressed, it would be kept back. */
        boolean isLive() {
            return contentType.equals(EVENTS);
        }

        /** Writes the content; on the thread of the request, which waits while the client reads slowly. */
        @FunctionalInterface
        public interface Content {
            void writeTo(OutputStream out) throws IOException;
        }
    }
}
