package io.evenkeel.app.http;

/** What a client gets: a {@link Reply} that is complete, or one that is too large for that and made while it is sent. */
public sealed interface Answer permits Reply, StreamedReply {
    String contentType();
}
