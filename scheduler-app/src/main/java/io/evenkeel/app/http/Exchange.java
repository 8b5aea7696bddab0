package io.evenkeel.app.http;

import io.evenkeel.app.http.RequestReader.RequestHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A request and its one answer. */
final class Exchange {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final Map<Integer, String> PHRASES = Map.ofEntries(
            Map.entry(200, "OK"),
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(406, "Not Acceptable"),
            Map.entry(409, "Conflict"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(431, "Request Header Fields Too Large"),
            Map.entry(500, "Internal Server Error"),
            Map.entry(503, "Service Unavailable"),
            Map.entry(504, "Gateway Timeout"),
            Map.entry(505, "HTTP Version Not Supported"));

    private final RequestHead request;
    private final List<X509Certificate> certificates;
    private final OutputStream connection;
    private final BooleanSupplier clientThere;
    private final BodyReader body;
    private boolean answered;
    private final boolean keeps;

    Exchange(
            RequestHead request,
            List<X509Certificate> certificates,
            OutputStream connection,
            BooleanSupplier clientThere,
            BodyReader body) {
        this.request = request;
        this.certificates = certificates;
        this.connection = connection;
        this.clientThere = clientThere;
        this.body = body;
        this.keeps = request.keepsConnection();
    }

    public RequestHead request() {
        return request;
    }

    /** The certificates that the client has shown; it has the key to the first. */
    public List<X509Certificate> certificates() {
        return certificates;
    }

    /** The request's body, to be read once; empty where it is longer than this, or its length was not said. */
    public Optional<byte[]> body(int most) throws IOException {
        return body.read(most);
    }

    @FunctionalInterface
    interface BodyReader {
        Optional<byte[]> read(int most) throws IOException;
    }

    /** Whether the client has not hung up yet; to be asked for by answers that take long. */
    public boolean isClientThere() {
        return clientThere.getAsBoolean();
    }

    /** Answers with a content that is at hand; none of it goes to who asked for the headers alone. */
    public void answer(int code, Map<String, String> headers, byte[] content) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream(512 + content.length);
        whole.write(head(code, headers, "Content-Length: " + content.length + "\r\n"));
        if (!isForHeadersOnly()) {
            whole.write(content);
        }
        connection.write(whole.toByteArray());
        connection.flush();
    }

    /** Answers who asked for the headers alone, where the length of the content is not known. */
    public void answerHeaders(int code, Map<String, String> headers) throws IOException {
        connection.write(head(code, headers, ""));
    }

    /**
     * Begins an answer of unknown length, in pieces, or up to the connection's end for a client that does not know these.
     * Not for those who asked for the headers alone.
     *
     * @return for the content; to be closed where it is complete, and not closed where it is not
     */
    public OutputStream begin(int code, Map<String, String> headers) throws IOException {
        boolean pieces = request.modern();
        connection.write(head(code, headers, pieces ? "Transfer-Encoding: chunked\r\n" : ""));
        return pieces ? new Pieces(connection) : connection;
    }

    public boolean isForHeadersOnly() {
        return request.method().equals("HEAD");
    }

    boolean keepsConnection() {
        return answered && keeps;
    }

    private byte[] head(int code, Map<String, String> headers, String framing) {
        if (answered) {
            throw new IllegalStateException("answered already");
        }
        answered = true;
        StringBuilder head = new StringBuilder(256)
                .append("HTTP/1.1 ")
                .append(code)
                .append(' ')
                .append(PHRASES.getOrDefault(code, ""))
                .append("\r\nDate: ")
                .append(DATE.format(ZonedDateTime.now(ZoneOffset.UTC)))
                .append("\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        if (!keeps) {
            head.append("Connection: close\r\n");
        }
        return head.append(framing).append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Each piece with its length before it, and an empty one at the end. */
    private static final class Pieces extends OutputStream {
        private static final byte[] END = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] LINE = {'\r', '\n'};

        private final OutputStream to;

        Pieces(OutputStream to) {
            this.to = to;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length > 0) {
                to.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                to.write(bytes, offset, length);
                to.write(LINE);
            }
        }

        @Override
        public void flush() throws IOException {
            to.flush();
        }

        @Override
        public void close() throws IOException {
            to.write(END);
            to.flush();
        }
    }
}
