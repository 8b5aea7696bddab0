package io.evenkeel.fuzz;

import io.evenkeel.kube.api.ApiAnswer;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;

/** An API server's answer, whose body is a fuzzer's bytes. */
record Answer(String contentType, InputStream body) implements ApiAnswer {
    static final String JSON = "application/json";
    static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    static Answer atOnce(String contentType, byte[] bytes) {
        return new Answer(contentType, new ByteArrayInputStream(bytes));
    }

    /** The same as it comes over a bad line. */
    static Answer byteByByte(String contentType, byte[] bytes) {
        return new Answer(contentType, new FilterInputStream(new ByteArrayInputStream(bytes)) {
            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                return super.read(to, offset, Math.min(1, length));
            }
        });
    }

    @Override
    public int code() {
        return 200;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.empty();
    }

    @Override
    public void cutOff() {
        throw new UnsupportedOperationException("nobody ends an answer that has come");
    }

    @Override
    public void close() {
        // nothing is held
    }
}
