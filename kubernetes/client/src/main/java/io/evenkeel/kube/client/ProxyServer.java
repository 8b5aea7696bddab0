package io.evenkeel.kube.client;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * A proxy between us and the API server.
 *
 * @param authorization the header's value by which an HTTP proxy knows us
 */
record ProxyServer(Proxy.Type type, String host, int port, Optional<String> authorization) {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    private static final int SOCKS = 1080;
    private static final int LAST_PORT = 65_535;

    /**
     * The proxy that a URL names.
     *
     * @throws IllegalArgumentException with a message to follow the name of what was given: what is wrong with it
     */
    public static ProxyServer at(String url) {
        URI uri = parse(url);
        String scheme = String.valueOf(uri.getScheme());
        Optional<String> user = Optional.ofNullable(uri.getUserInfo());
        return switch (scheme) {
            case "http" -> of(Proxy.Type.HTTP, uri, HTTP, user);
            case "https" -> of(Proxy.Type.HTTP, uri, HTTPS, user);
            case "socks5" -> {
                if (user.isPresent()) {
                    throw new IllegalArgumentException("has a user, which works with http proxies only");
                }
                yield of(Proxy.Type.SOCKS, uri, SOCKS, user);
            }
            default ->
                throw new IllegalArgumentException(
                        "has the scheme \"" + scheme + "\": it must be http, https or socks5");
        };
    }

    private static URI parse(String url) {
        try {
            URI uri = new URI(url);
            // Without "//", what stands before the first colon need not have been meant as a scheme.
            if (url.contains("://") && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException noUrl) {
            // Treated as a URL without a host. It is not repeated: there may be a password in it.
        }
        throw new IllegalArgumentException("is not the URL of a proxy: expected something like http://10.0.0.1:3128");
    }

    private static ProxyServer of(Proxy.Type type, URI uri, int usualPort, Optional<String> user) {
        Optional<String> authorization =
                user.map(pair -> "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
        String host = uri.getHost().replaceAll("^\\[|]$", "");
        int port = uri.getPort() < 0 ? usualPort : uri.getPort();
        if (port < 1 || port > LAST_PORT) {
            throw new IllegalArgumentException("has the port " + port + ": it must be between 1 and " + LAST_PORT);
        }
        return new ProxyServer(type, host, port, authorization);
    }

    /** Its name is looked up with every connection. */
    public Proxy proxy() {
        return new Proxy(type, InetSocketAddress.createUnresolved(host, port));
    }
}
