package io.evenkeel.app.http;

import io.evenkeel.kube.api.Supervisor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** A client of one server on loopback. */
public final class Client implements AutoCloseable {
    /** Of servers none of whose threads is to die. */
    public static final Supervisor UNHARMED = (thread, why) -> {
        throw new AssertionError(thread + " has died", why);
    };

    private final HttpClient http;
    private final String base;

    public Client(EndpointServer server) {
        this.http = HttpClient.newHttpClient();
        this.base = "http://127.0.0.1:" + server.address().getPort();
    }

    public Client(EndpointServer server, SSLContext tls) {
        this(server, tls, "TLSv1.3");
    }

    public Client(EndpointServer server, SSLContext tls, String version) {
        SSLParameters parameters = new SSLParameters();
        parameters.setProtocols(new String[] {version});
        this.http = HttpClient.newBuilder()
                .sslContext(tls)
                .sslParameters(parameters)
                .build();
        this.base = "https://127.0.0.1:" + server.address().getPort();
    }

    public static InetSocketAddress freePort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    public HttpResponse<byte[]> send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(base + path)).method(method, BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    public HttpResponse<String> put(String path, String body) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(base + path))
                        .PUT(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    public HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(base + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        http.close();
    }
}
