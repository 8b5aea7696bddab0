package io.evenkeel.app.http;

/** An answer to a request: a {@link Reply}, complete in memory, or a {@link StreamedReply}, made while it is sent. */
public sealed interface Answer permits Reply, StreamedReply {
    String contentType();
}
