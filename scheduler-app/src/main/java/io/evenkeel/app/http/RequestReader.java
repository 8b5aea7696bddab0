package io.evenkeel.app.http;

import com.sun.net.httpserver.Headers;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads requests, one after the other, up to the empty line behind their headers. Strict, as a client that writes
 * otherwise is none of Kubernetes' or Prometheus'; lines may end without a carriage return. Each byte is a letter.
 */
final class RequestReader {
    private static final int MOST_BYTES = 64 * 1024;

    /** More than the longest body that any path takes. */
    private static final int MOST_DISCARDED = 1024 * 1024;

    private static final int MOST_HEADERS = 100;
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private final InputStream in;
    private byte[] line = new byte[512];
    private int left;

    RequestReader(InputStream in) {
        this.in = new BufferedInputStream(in, 4096);
    }

    /** Waits for the first byte of a request; false if the client has closed the connection instead. */
    boolean begins() throws IOException {
        in.mark(1);
        if (in.read() < 0) {
            return false;
        }
        in.reset();
        return true;
    }

    /** @throws MalformedRequestException if it is none */
    RequestHead next() throws IOException {
        left = MOST_BYTES;
        String first = line();
        if (first.isEmpty()) {
            first = line();
        }
        String[] parts = first.split(" ", -1);
        if (parts.length != 3 || !TOKEN.matcher(parts[0]).matches()) {
            throw new MalformedRequestException(400, "malformed request line");
        }
        boolean modern = parts[2].equals("HTTP/1.1");
        if (!modern && !parts[2].equals("HTTP/1.0")) {
            throw parts[2].startsWith("HTTP/")
                    ? new MalformedRequestException(505, "unsupported protocol version")
                    : new MalformedRequestException(400, "malformed request line");
        }
        URI target = target(parts[1]);
        Headers headers = headers();
        if (modern && Optional.ofNullable(headers.get("Host")).map(List::size).orElse(0) != 1) {
            throw new MalformedRequestException(400, "missing required Host header");
        }
        return new RequestHead(parts[0], target, modern, headers);
    }

    /** The body of the request that was read last; empty where it is longer than this, or its length was not said. */
    Optional<byte[]> body(RequestHead request, int most) throws IOException {
        String length = String.valueOf(request.headers().getFirst("Content-Length"));
        if (!length.matches("[0-9]{1,9}") || Integer.parseInt(length) > most) {
            return Optional.empty();
        }
        byte[] body = in.readNBytes(Integer.parseInt(length));
        if (body.length < Integer.parseInt(length)) {
            throw new EOFException("the request broke off");
        }
        return Optional.of(body);
    }

    /** Reads on for a while and forgets it, so that the client sees the answer rather than a broken connection. */
    void discard() throws IOException {
        byte[] some = new byte[4096];
        for (int rest = MOST_DISCARDED; rest > 0; ) {
            int read = in.read(some, 0, Math.min(rest, some.length));
            if (read < 0) {
                return;
            }
            rest -= read;
        }
    }

    private static URI target(String text) throws MalformedRequestException {
        try {
            return new URI(text);
        } catch (URISyntaxException noUri) {
            throw new MalformedRequestException(400, "malformed request target");
        }
    }

    private Headers headers() throws IOException {
        Headers headers = new Headers();
        int count = 0;
        for (String text = line(); !text.isEmpty(); text = line()) {
            int colon = text.indexOf(':');
            if (colon < 0 || !TOKEN.matcher(text.substring(0, colon)).matches()) {
                throw new MalformedRequestException(400, "malformed header");
            }
            if (++count > MOST_HEADERS) {
                throw new MalformedRequestException(431, "more than " + MOST_HEADERS + " headers");
            }
            headers.add(text.substring(0, colon), text.substring(colon + 1).strip());
        }
        return headers;
    }

    /** Up to the line's end, without it. */
    private String line() throws IOException {
        int length = 0;
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the request broke off");
            }
            if (--left <= 0) {
                throw new MalformedRequestException(431, "request of more than " + MOST_BYTES + " bytes");
            }
            if (length == line.length) {
                line = Arrays.copyOf(line, 2 * length);
            }
            line[length++] = (byte) b;
        }
        if (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        for (int i = 0; i < length; i++) {
            if (((line[i] & 0xff) < ' ' && line[i] != '\t') || line[i] == 0x7f) {
                throw new MalformedRequestException(400, "control character in the request");
            }
        }
        return new String(line, 0, length, StandardCharsets.ISO_8859_1);
    }

    /** The client has sent no request that can be answered but with this code. */
    static final class MalformedRequestException extends IOException {
        private static final long serialVersionUID = 1L;

        private final int code;

        MalformedRequestException(int code, String message) {
            super(message);
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    /** A request without its body, of HTTP/1.1 (modern) or 1.0. */
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
}
