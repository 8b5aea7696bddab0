package io.evenkeel.kube.client;

import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.client.access.Impersonation;
import io.evenkeel.kube.client.credential.Credential;
import io.evenkeel.kube.client.http2.Header;
import io.evenkeel.kube.client.http2.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import okhttp3.Headers;
import okhttp3.HttpUrl;

/** Calls as they are sent over one connection with others. */
final class MultiplexedRequests {
    private final String prefix;
    private final List<Header> always = new ArrayList<>();

    MultiplexedRequests(HttpUrl server, Impersonation impersonation, String userAgent) {
        prefix = OkHttpRequests.prefix(server);
        always.add(new Header("user-agent", userAgent));
        Headers others = impersonation.headers();
        for (int i = 0; i < others.size(); i++) {
            always.add(header(others.name(i), others.value(i)));
        }
    }

    Request of(ApiCall call, Credential credential) {
        List<Header> headers = new ArrayList<>(always);
        call.headers().forEach((name, value) -> headers.add(header(name, value)));
        call.body().ifPresent(body -> headers.add(new Header("content-type", body.contentType())));
        credential.authorization().ifPresent(value -> headers.add(new Header("authorization", value)));
        byte[] body = call.body()
                .map(sent -> sent.content().getBytes(StandardCharsets.UTF_8))
                .orElse(new byte[0]);
        return new Request(call.method(), prefix + call.path(), headers, body);
    }

    private static Header header(String name, String value) {
        return new Header(name.toLowerCase(Locale.ROOT), value);
    }
}
