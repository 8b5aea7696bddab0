package io.evenkeel.hollow.rest.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Malformed requests are refused before anybody is asked, in the words of Go's server. */
final class PlainErrors extends ErrorHandler {

    @Override
    protected void generateResponse(
            Request request, Response response, int code, String message, Throwable cause, Callback done) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        String words = code + " " + HttpStatus.getMessage(code);
        response.write(true, ByteBuffer.wrap(words.getBytes(StandardCharsets.US_ASCII)), done);
    }
}
