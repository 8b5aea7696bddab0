package io.evenkeel.kube.client;

import io.evenkeel.kube.client.ConnectionOptions.ConnectionLimits;
import io.evenkeel.kube.client.ServerAccess.Authority;
import io.evenkeel.kube.client.http2.MultiplexedCalls;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Connector;
import io.evenkeel.tls.Authorities;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import javax.net.ssl.KeyManager;
import jdk.net.ExtendedSocketOptions;
import okhttp3.ConnectionPool;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

/**
 * Two clients of one server that share nothing but its trust, so that a stalled stream never holds up a call. Both show
 * one certificate and trust one authority; for others there have to be others, and these retire.
 */
final class HttpClients {
    /**
     * Servers without HTTP/2 need a connection for each call underway. OkHttp keeps five of them for the next calls, and
     * closes the rest: half of a binding's cost was then to agree on keys once more.
     */
    private static final int IDLE_CALL_CONNECTIONS = 64;

    private static final int IDLE_MINUTES = 5;

    private final OkHttpClient calls;
    private final OkHttpClient streams;
    private final Optional<MultiplexedCalls> multiplexed;
    private final Optional<Credential.Certificate> certificate;
    private final Optional<Authority> authority;
    private volatile boolean retired;

    private HttpClients(
            OkHttpClient calls,
            OkHttpClient streams,
            Optional<MultiplexedCalls> multiplexed,
            Optional<Credential.Certificate> certificate,
            Optional<Authority> authority) {
        this.calls = calls;
        this.streams = streams;
        this.multiplexed = multiplexed;
        this.certificate = certificate;
        this.authority = authority;
    }

    static HttpClients of(ServerAccess access, Optional<Credential.Certificate> certificate, ConnectionLimits limits) {
        Optional<Authority> authority = access.authority().map(CredentialFiles::current);
        OkHttpClient.Builder connecting = trusting(access, authority, certificate)
                .newBuilder()
                .socketFactory(new KeptAliveSockets(limits.ping()))
                .followRedirects(false)
                .followSslRedirects(false)
                .connectTimeout(limits.connect())
                .pingInterval(limits.ping());
        access.proxy().ifPresent(between -> through(between, connecting));
        OkHttpClient base = connecting.build();
        OkHttpClient calls = base.newBuilder()
                .connectionPool(new ConnectionPool(IDLE_CALL_CONNECTIONS, IDLE_MINUTES, TimeUnit.MINUTES))
                .callTimeout(limits.call())
                .build();
        OkHttpClient streams = base.newBuilder()
                .connectionPool(new ConnectionPool())
                .callTimeout(Duration.ZERO)
                .readTimeout(limits.silence())
                .build();
        return new HttpClients(calls, streams, multiplexed(access, base, limits), certificate, authority);
    }

    /** Not through proxies, and not without TLS, by which both sides agree on it. */
    private static Optional<MultiplexedCalls> multiplexed(
            ServerAccess access, OkHttpClient base, ConnectionLimits limits) {
        return Optional.ofNullable(HttpUrl.parse(access.server()))
                .filter(url -> url.isHttps() && access.proxy().isEmpty())
                .map(url -> new Connector(
                        url.host(),
                        url.port(),
                        base.socketFactory(),
                        base.sslSocketFactory(),
                        base.hostnameVerifier(),
                        limits.connect(),
                        limits.call()))
                .map(MultiplexedCalls::new);
    }

    private static void through(ProxyServer between, OkHttpClient.Builder client) {
        client.proxy(between.proxy());
        between.authorization()
                .ifPresent(value -> client.proxyAuthenticator((_, answer) -> {
                    boolean refused = answer.request().header("Proxy-Authorization") != null;
                    return refused
                            ? null
                            : answer.request()
                                    .newBuilder()
                                    .header("Proxy-Authorization", value)
                                    .build();
                }));
    }

    private static OkHttpClient trusting(
            ServerAccess access, Optional<Authority> authority, Optional<Credential.Certificate> certificate) {
        try {
            Optional<Authorities> authorities = authority.isPresent()
                    ? Optional.of(Authorities.parse(authority.get().bytes()))
                    : Optional.empty();
            List<KeyManager> shown =
                    certificate.isPresent() ? List.of(certificate.get().parse().keyManagers()) : List.of();
            return new ClientTls(access.verified(), authorities, access.tlsServerName(), shown)
                    .on(new OkHttpClient.Builder().readTimeout(Duration.ZERO))
                    .build();
        } catch (GeneralSecurityException | RuntimeException unusable) {
            throw ClientConfigurationException.because(
                    "a certificate or key for " + access.server() + " cannot be used", unusable);
        }
    }

    OkHttpClient calls() {
        return calls;
    }

    OkHttpClient streams() {
        return streams;
    }

    /** For calls, where many can be underway on one connection. */
    Optional<MultiplexedCalls> multiplexed() {
        return multiplexed;
    }

    boolean areFor(Optional<Credential.Certificate> shown, Optional<Authority> trusted) {
        return certificate.equals(shown) && authority.equals(trusted);
    }

    /** Others have taken over: what is underway is seen through, and no connection is kept for what might come. */
    void retire() {
        retired = true;
        multiplexed.ifPresent(MultiplexedCalls::retire);
        for (OkHttpClient client : List.of(calls, streams)) {
            client.dispatcher().executorService().shutdown();
            client.connectionPool().evictAll();
        }
    }

    /** An answer has been read, and its connection is free. */
    void released() {
        if (retired) {
            calls.connectionPool().evictAll();
            streams.connectionPool().evictAll();
        }
    }

    void close() {
        multiplexed.ifPresent(MultiplexedCalls::close);
        calls.dispatcher().cancelAll();
        streams.dispatcher().cancelAll();
        retire();
    }

    /**
     * Sockets that probe their peer while nothing is to be said. HTTP/2 has pings for that, HTTP/1.1 has nothing: without
     * this, a watch on a server that has lost its power waits for ever.
     */
    private static final class KeptAliveSockets extends SocketFactory {
        private static final int PROBES = 2;

        private final int seconds;

        KeptAliveSockets(Duration interval) {
            seconds = Math.max(1, (int) interval.toSeconds());
        }

        @Override
        public Socket createSocket() throws IOException {
            Socket socket = new Socket();
            socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            set(socket, ExtendedSocketOptions.TCP_KEEPIDLE, seconds);
            set(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, seconds);
            set(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
            return socket;
        }

        private static void set(Socket socket, SocketOption<Integer> option, int value) throws IOException {
            if (socket.supportedOptions().contains(option)) {
                socket.setOption(option, value);
            }
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException("OkHttp connects by itself");
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
            return createSocket(host, port);
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            return createSocket(host.getHostName(), port);
        }

        @Override
        public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
            return createSocket(address, port);
        }
    }
}
