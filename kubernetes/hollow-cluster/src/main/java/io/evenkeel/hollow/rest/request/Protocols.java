package io.evenkeel.hollow.rest.request;

import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * The protocols of a connection, as of a real API server: HTTP/2 or HTTP/1.1 over TLS, as the client likes, and HTTP/1.1 without.
 * The limits are kube-apiserver's, not the limits of a server that distrusts its clients.
 */
final class Protocols {
    /** As Go's server has it, where --http2-max-streams-per-connection is not set. */
    private static final int MOST_STREAMS = 250;

    /** The window of a stream, as kube-apiserver has it: a body up to this size, as most are, is sent before any of it is read. */
    private static final int STREAM_WINDOW = 256 << 10;

    /** As Go's server has it: selectors and continue tokens stand in a request's first line. */
    private static final int LARGEST_HEADERS = 1 << 20;

    private static final long NEVER = -1;

    private Protocols() {}

    static ConnectionFactory[] over(Optional<SSLContext> tls) {
        HttpConnectionFactory http1 = new HttpConnectionFactory(configuration());
        if (tls.isEmpty()) {
            return new ConnectionFactory[] {http1};
        }
        HTTP2ServerConnectionFactory http2 = http2();
        ALPNServerConnectionFactory either = new ALPNServerConnectionFactory("h2", "http/1.1");
        either.setDefaultProtocol(http1.getProtocol());
        SslContextFactory.Server trust = new SslContextFactory.Server();
        trust.setSslContext(tls.get());
        return new ConnectionFactory[] {new SslConnectionFactory(trust, either.getProtocol()), either, http2, http1};
    }

    private static HTTP2ServerConnectionFactory http2() {
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(configuration());
        http2.setMaxConcurrentStreams(MOST_STREAMS);
        http2.setInitialStreamRecvWindow(STREAM_WINDOW);
        http2.setInitialSessionRecvWindow(MOST_STREAMS * STREAM_WINDOW);
        http2.setStreamIdleTimeout(NEVER);
        http2.setRateControlFactory(new RateControl.Factory() {}); // none: clients may cancel and ping as they like
        http2.setConnectProtocolEnabled(false);
        return http2;
    }

    private static HttpConfiguration configuration() {
        HttpConfiguration http = new HttpConfiguration();
        http.setUriCompliance(UriCompliance.UNSAFE); // the handlers judge the path
        http.setRequestHeaderSize(LARGEST_HEADERS);
        http.setSendServerVersion(false);
        return http;
    }
}
