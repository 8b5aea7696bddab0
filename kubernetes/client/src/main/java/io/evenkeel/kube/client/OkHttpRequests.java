package io.evenkeel.kube.client;

import io.evenkeel.kube.api.ApiCall;
import java.io.IOException;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;

/** Calls as OkHttp sends them. */
record OkHttpRequests(HttpUrl server, Impersonation impersonation, String userAgent) {
    /** The beginning of the paths at a server: the path in its address. */
    static String prefix(HttpUrl server) {
        String path = server.encodedPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    Request of(ApiCall call, Credential credential) throws IOException {
        HttpUrl url = server.resolve(prefix(server) + call.path());
        if (url == null) {
            throw new IOException("malformed path " + call.path());
        }
        Request.Builder request = new Request.Builder()
                .url(url)
                .headers(impersonation.headers())
                .header("User-Agent", userAgent)
                // Answers are large and mostly local: unpacking them costs more than carrying them.
                .header("Accept-Encoding", "identity")
                .method(
                        call.method(),
                        call.body()
                                .map(body -> new UnrepeatableBody(body.content(), MediaType.get(body.contentType())))
                                .orElse(null));
        call.headers().forEach(request::header);
        credential.authorization().ifPresent(value -> request.header("Authorization", value));
        return request.build();
    }
}
