package io.evenkeel.app.http.wire;

import com.sun.net.httpserver.Headers;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * A request without its body.
 *
 * @param modern whether it is HTTP/1.1, rather than 1.0
 */
public record RequestHead(String method, URI target, boolean modern, Headers headers) {

    /** What stands for a request that could not be read, in an answer to it. */
    static RequestHead unread() {
        return new RequestHead("", URI.create("/"), false, new Headers());
    }

    /** Whether something follows that is not the next request. */
    boolean hasBody() {
        return headers.containsKey("Transfer-Encoding")
                || !Optional.ofNullable(headers.getFirst("Content-Length"))
                        .orElse("0")
                        .equals("0")
                || headers.containsKey("Expect");
    }

    /** Whether the client means to ask more on this connection, and can know where the answer ends. */
    boolean keepsConnection() {
        String wish = Optional.ofNullable(headers.getFirst("Connection")).orElse("");
        return modern && !hasBody() && !wish.toLowerCase(Locale.ROOT).contains("close");
    }
}
