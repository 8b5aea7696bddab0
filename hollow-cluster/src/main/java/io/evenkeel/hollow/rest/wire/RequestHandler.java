package io.evenkeel.hollow.rest.wire;

import io.evenkeel.hollow.rest.request.Answerer;
import io.evenkeel.hollow.rest.request.ApiReply;
import io.evenkeel.hollow.rest.request.Outcome;
import io.evenkeel.hollow.rest.request.ReplyBody;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
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
}
