package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.ApiAnswer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An answer whose body is known beforehand, up to how it breaks off. */
record FakeAnswer(
        int code, String contentType, Optional<Duration> retryAfter, InputStream body, List<Duration> expectations)
        implements ApiAnswer {

    FakeAnswer(int code, String contentType, Optional<Duration> retryAfter, InputStream body) {
        this(code, contentType, retryAfter, body, new ArrayList<>());
    }

    static FakeAnswer ok(String... parts) {
        return json(200, String.join("", parts));
    }

    static FakeAnswer json(int code, String text) {
        return new FakeAnswer(code, "application/json", Optional.empty(), bytes(text));
    }

    /** A stream that ends in an exception after its content. */
    static FakeAnswer brokenOff(IOException end, String... parts) {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw end;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                throw end;
            }
        };
        InputStream body = new SequenceInputStream(bytes(String.join("", parts)), broken);
        return new FakeAnswer(200, "application/json", Optional.empty(), body);
    }

    FakeAnswer retryAfter(int seconds) {
        return new FakeAnswer(code, contentType, Optional.of(Duration.ofSeconds(seconds)), body);
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void expectWithin(Duration silence) {
        expectations.add(silence);
    }

    @Override
    public void cutOff() {}

    @Override
    public void close() {}
}
