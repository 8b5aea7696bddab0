package io.evenkeel.hollow.rest;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Takes a request off its connection, and brings back the answer, or what there is instead of one. */
final class RequestHandler extends Handler.Abstract {
    private static final int ROOM = 1 << 16;

    private final Answerer answerer;

    RequestHandler(Answerer answerer) {
        this.answerer = answerer;
    }

    @Override
    public boolean handle(Request request, Response response, Callback done) {
        try {
            switch (outcome(request)) {
                case Outcome.Answered(ApiReply reply) -> send(reply, response, done);
                case Outcome.BrokenOff _ -> done.failed(new Request.Handler.AbortException("ordered"));
                case Outcome.Disconnected _ -> {
                    request.getConnectionMetaData()
                            .getConnection()
                            .getEndPoint()
                            .close();
                    done.failed(new Request.Handler.AbortException("ordered"));
                }
            }
        } catch (IOException gone) {
            done.failed(new Request.Handler.AbortException(gone));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            done.failed(new Request.Handler.AbortException(stopping));
        }
        return true;
    }

    private Outcome outcome(Request request) throws IOException, InterruptedException {
        try {
            return answerer.answer(JettyRequest.of(request));
        } catch (URISyntaxException malformed) {
            return new Outcome.Answered(ApiReply.text(400, "400 Bad Request"));
        }
    }

    private static void send(ApiReply reply, Response response, Callback done)
            throws IOException, InterruptedException {
        response.setStatus(reply.code());
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, reply.contentType());
        headers.put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        if (reply.retryAfterSeconds() > 0) {
            headers.put(HttpHeader.RETRY_AFTER, reply.retryAfterSeconds());
        }
        reply.warnings().forEach(words -> headers.add("Warning", "299 - \"" + words.replace("\"", "\\\"") + '"'));
        switch (reply.body()) {
            case ReplyBody.Whole(byte[] bytes) -> {
                headers.put(HttpHeader.CONTENT_LENGTH, bytes.length);
                response.write(true, ByteBuffer.wrap(bytes), done);
            }
            case ReplyBody.Stream stream -> {
                OutputStream out = new BufferedOutputStream(Content.Sink.asOutputStream(response), ROOM);
                stream.writeTo(out);
                out.close(); // where it fails, the client is not to take what it has for all
                done.succeeded();
            }
        }
    }

    /** A request as Jetty has it. */
    private record JettyRequest(Request request, URI target) implements RawRequest {

        /**
         * Reads what a client asks for.
         *
         * @throws URISyntaxException where that is what no URL can be
         */
        static JettyRequest of(Request request) throws URISyntaxException {
            URI target = new URI(request.getHttpURI().getPathQuery());
            if (target.getRawPath() == null) {
                throw new URISyntaxException(target.toString(), "no path");
            }
            return new JettyRequest(request, target);
        }

        @Override
        public String protocol() {
            return request.getConnectionMetaData().getProtocol();
        }

        @Override
        public String method() {
            return request.getMethod();
        }

        @Override
        public List<String> headers(String name) {
            return request.getHeaders().getValuesList(name);
        }

        @Override
        public byte[] body() throws IOException {
            try (InputStream in = Content.Source.asInputStream(request)) {
                return in.readAllBytes();
            }
        }
    }
}
