package io.evenkeel.kube.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocketFactory;

/** Asks for a server by a name of its own, whatever address it is reached at. */
final class NamedServer extends SSLSocketFactory {
    private final SSLSocketFactory sockets;
    private final String name;

    NamedServer(SSLSocketFactory sockets, String name) {
        this.sockets = sockets;
        this.name = name;
    }

    @Override
    public Socket createSocket(Socket connected, String host, int port, boolean autoClose) throws IOException {
        return sockets.createSocket(connected, name, port, autoClose);
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return sockets.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return sockets.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        throw onlyOverAConnection();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int localPort) throws IOException {
        throw onlyOverAConnection();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        throw onlyOverAConnection();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int localPort) throws IOException {
        throw onlyOverAConnection();
    }

    private static IOException onlyOverAConnection() {
        return new IOException("TLS is spoken over a connection that is there already");
    }
}
