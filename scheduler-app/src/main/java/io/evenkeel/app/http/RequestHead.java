package io.evenkeel.app.http;

import com.sun.net.httpserver.Headers;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * A request without its body.
 *
 * @param modern whether it is HTTP/1.1, rather than 1.0
 */
record RequestHead(String method, URI target, boolean modern, Headers headers) {

    /** Stands for a request that could not be read, in an answer to it. */
    static RequestHead unread() {
        return new RequestHead("", URI.create("/"), false, new Headers());
    }

    /** Whether something follows that is not the next request. */
    boolean hasBody() {
        return headers.containsKey("Transfer-Encoding")
                || !all("Content-Length").stream().allMatch("0"::equals)
                || headers.containsKey("Expect");
    }

    /** Whether the client means to ask more on this connection, and can know where the answer ends. */
    boolean keepsConnection() {
        return modern
                && !hasBody()
                && all("Connection").stream()
                        .noneMatch(wish -> wish.toLowerCase(Locale.ROOT).contains("close"));
    }

    /** The values of all headers of that name: a client, or one in its place, may have sent another after the first. */
    private List<String> all(String header) {
        return headers.getOrDefault(header, List.of());
    }
}
