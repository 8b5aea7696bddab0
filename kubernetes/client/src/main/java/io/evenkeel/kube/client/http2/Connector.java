package io.evenkeel.kube.client.http2;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import javax.net.SocketFactory;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Connects to a server and agrees with it on TLS and HTTP/2.
 *
 * @param host as in its address, without the brackets of IPv6
 * @param names says whether a certificate is the server's
 * @param connectLimit of each step: reaching an address, and agreeing on TLS
 * @param callLimit until the whole answer of a call is there
 */
public record Connector(
        String host,
        int port,
        SocketFactory sockets,
        SSLSocketFactory tls,
        HostnameVerifier names,
        Duration connectLimit,
        Duration callLimit) {
    private static final int HTTPS = 443;
    private static final String[] PROTOCOLS = {"h2", "http/1.1"};

    /** A connection; nothing where the server does not speak HTTP/2. */
    Optional<CallConnection> connect() throws IOException {
        Socket carrier = reached();
        SSLSocket socket = agreed(carrier);
        if (!socket.getApplicationProtocol().equals(PROTOCOLS[0])) {
            socket.close();
            return Optional.empty();
        }
        return Optional.of(CallConnection.on(socket, carrier, authority(), callLimit));
    }

    private String authority() {
        String name = host.contains(":") ? "[" + host + "]" : host;
        return port == HTTPS ? name : name + ":" + port;
    }

    /** A connection to the first of the host's addresses that answers. */
    private Socket reached() throws IOException {
        IOException last = new IOException("no address of " + host + " answers");
        for (InetAddress address : InetAddress.getAllByName(host)) {
            Socket socket = sockets.createSocket();
            try {
                socket.setTcpNoDelay(true);
                socket.connect(new InetSocketAddress(address, port), (int) connectLimit.toMillis());
                return socket;
            } catch (IOException unreachable) {
                socket.close();
                unreachable.addSuppressed(last);
                last = unreachable;
            }
        }
        throw last;
    }

    private SSLSocket agreed(Socket reached) throws IOException {
        SSLSocket socket = (SSLSocket) tls.createSocket(reached, host, port, true);
        try {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(PROTOCOLS);
            socket.setSSLParameters(parameters);
            socket.setSoTimeout((int) connectLimit.toMillis());
            socket.startHandshake();
            if (!names.verify(host, socket.getSession())) {
                throw new SSLPeerUnverifiedException("the certificate is not for " + host);
            }
            socket.setSoTimeout(0);
            return socket;
        } catch (IOException | RuntimeException refused) {
            socket.close();
            throw refused;
        }
    }
}
