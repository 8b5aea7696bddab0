package io.evenkeel.app.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/** TLS over a connection that has just been accepted, as its server; no hands are shaken yet. */
@FunctionalInterface
public interface TlsLayer {
    /**
     * The layer over a connection.
     *
     * @param read what the client has said already
     */
    SSLSocket over(Socket connection, InputStream read) throws IOException;
}
