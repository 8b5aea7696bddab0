package io.evenkeel.kube.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.time.Duration;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;

/**
 * Sockets whose peer is probed while nothing is to be said. HTTP/2 has pings for that, HTTP/1.1 has nothing: without
 * this, a watch on a server that has lost its power waits for ever.
 */
final class KeptAliveSockets extends SocketFactory {
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
