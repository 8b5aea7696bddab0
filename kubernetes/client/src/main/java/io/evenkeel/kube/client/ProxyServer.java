package io.evenkeel.kube.client;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;

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

    /** The proxy that the environment asks for: HTTPS_PROXY, HTTP_PROXY and NO_PROXY as programs in Go read them. */
    record EnvironmentProxies(Map<String, String> environment) {
        Optional<ProxyServer> to(HttpUrl server) {
            String name = server.isHttps() ? "HTTPS_PROXY" : "HTTP_PROXY";
            return variable(name).filter(_ -> !isDirect(server)).map(value -> parse(name, value));
        }

        private static ProxyServer parse(String name, String value) {
            try {
                return ProxyServer.at(value.contains("://") ? value : "http://" + value);
            } catch (IllegalArgumentException unusable) {
                throw new ClientConfigurationException("$" + name + " " + unusable.getMessage(), unusable);
            }
        }

        private Optional<String> variable(String name) {
            return Optional.ofNullable(environment.get(name))
                    .filter(value -> !value.isEmpty())
                    .or(() -> Optional.ofNullable(environment.get(name.toLowerCase(Locale.ROOT))))
                    .filter(value -> !value.isEmpty());
        }

        private boolean isDirect(HttpUrl server) {
            String host = server.host().toLowerCase(Locale.ROOT);
            Optional<InetAddress> address = literal(host);
            if (host.equals("localhost")
                    || address.filter(InetAddress::isLoopbackAddress).isPresent()) {
                return true;
            }
            for (String exception : variable("NO_PROXY").orElse("").split(",", -1)) {
                String pattern = exception.strip().toLowerCase(Locale.ROOT);
                if (!pattern.isEmpty() && isMeant(pattern, host, server.port(), address)) {
                    return true;
                }
            }
            return false;
        }

        private static boolean isMeant(String pattern, String host, int port, Optional<InetAddress> address) {
            if (pattern.equals("*")) {
                return true;
            }
            int slash = pattern.indexOf('/');
            if (slash >= 0) {
                return address.filter(
                                there -> isWithin(there, pattern.substring(0, slash), pattern.substring(slash + 1)))
                        .isPresent();
            }
            // An IPv6 address has colons of its own; with a port it stands in brackets.
            int colon = literal(pattern).isPresent() ? -1 : pattern.lastIndexOf(':');
            if (colon >= 0 && !pattern.substring(colon + 1).equals(String.valueOf(port))) {
                return false;
            }
            String name = (colon < 0 ? pattern : pattern.substring(0, colon)).replaceAll("^\\[|]$|^\\*(?=\\.)", "");
            Optional<InetAddress> meant = literal(name);
            if (meant.isPresent() || name.isEmpty()) {
                return meant.isPresent() && meant.equals(address);
            }
            return name.startsWith(".") ? host.endsWith(name) : host.equals(name) || host.endsWith("." + name);
        }

        private static boolean isWithin(InetAddress address, String network, String length) {
            Optional<InetAddress> base = literal(network);
            if (base.isEmpty() || !length.matches("[0-9]{1,3}")) {
                return false;
            }
            byte[] there = address.getAddress();
            byte[] wanted = base.get().getAddress();
            int bits = Integer.parseInt(length);
            if (there.length != wanted.length || bits > there.length * Byte.SIZE) {
                return false;
            }
            int others = there.length * Byte.SIZE - bits;
            return new BigInteger(1, there).shiftRight(others).equals(new BigInteger(1, wanted).shiftRight(others));
        }

        /** An address that is written as one; names are not looked up. */
        private static Optional<InetAddress> literal(String text) {
            try {
                return Optional.of(InetAddress.ofLiteral(text));
            } catch (IllegalArgumentException name) {
                return Optional.empty();
            }
        }
    }
}
