package io.evenkeel.kube.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;

/** A body that OkHttp must not send twice by itself: it cannot know whether the first time had an effect. */
public final class UnrepeatableBody extends RequestBody {
    private final byte[] content;
    private final MediaType type;

    public UnrepeatableBody(String content, MediaType type) {
        this.content = content.getBytes(StandardCharsets.UTF_8);
        this.type = type;
    }

    @Override
    public MediaType contentType() {
        return type;
    }

    @Override
    public long contentLength() {
        return content.length;
    }

    @Override
    public boolean isOneShot() {
        return true;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
        sink.write(content);
    }
}
