package io.evenkeel.kube.client;

import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.client.http2.Reply;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;

/** An answer that is there as a whole. */
record WholeAnswer(Reply reply) implements ApiAnswer {
    @Override
    public int code() {
        return reply.code();
    }

    @Override
    public String contentType() {
        return reply.header("content-type").orElse("");
    }

    @Override
    public Optional<Duration> retryAfter() {
        return reply.header("retry-after").flatMap(RetryAfter::parse);
    }

    @Override
    public InputStream body() {
        return new ByteArrayInputStream(reply.body());
    }

    @Override
    public void cutOff() {
        // nothing more comes in
    }

    @Override
    public void close() {
        // nothing is held
    }
}
