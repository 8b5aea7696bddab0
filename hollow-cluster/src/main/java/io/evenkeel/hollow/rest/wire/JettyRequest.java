package io.evenkeel.hollow.rest.wire;

import io.evenkeel.hollow.rest.request.RawRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** A request as Jetty has it. */
record JettyRequest(Request request, URI target) implements RawRequest {

    /**
     * What a client asks for.
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
