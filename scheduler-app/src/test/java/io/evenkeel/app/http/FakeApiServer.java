package io.evenkeel.app.http;

import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.model.write.Tree;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers reviews and says whose certificates it trusts as told, and writes down what it is asked. */
public final class FakeApiServer implements ApiTransport {
    public final List<String> calls = new CopyOnWriteArrayList<>();
    public volatile int code = 201;
    public volatile String tokenReview = "{}";
    public volatile String accessReview = "{}";
    public volatile String published = "{}";

    /** What the ConfigMap of authentication says: keys and values, in turn. */
    public void publish(String... data) {
        Tree values = new Tree();
        for (int i = 0; i < data.length; i += 2) {
            values.put(data[i], data[i + 1]);
        }
        published = new Tree()
                .put("kind", "ConfigMap")
                .put("metadata", new Tree().put("name", "extension-apiserver-authentication"))
                .put("data", values)
                .json();
    }

    @Override
    public ApiAnswer call(ApiCall call) {
        calls.add(call.method() + " " + call.path()
                + call.body().map(body -> " " + body.content()).orElse(""));
        if (code == 403) {
            return new Answer(code, "{\"kind\":\"Status\",\"message\":\"no right\"}");
        }
        if (call.method().equals("GET")) {
            return new Answer(code, published);
        }
        return new Answer(code, call.path().endsWith("tokenreviews") ? tokenReview : accessReview);
    }

    @Override
    public ApiAnswer stream(ApiCall call) {
        return call(call);
    }

    @Override
    public String host() {
        return "fake";
    }

    private record Answer(int code, String json) implements ApiAnswer {
        @Override
        public String contentType() {
            return "application/json";
        }

        @Override
        public Optional<Duration> retryAfter() {
            return Optional.empty();
        }

        @Override
        public InputStream body() {
            return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void cutOff() {}

        @Override
        public void close() {}
    }
}
