package io.evenkeel.app.http.wire;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/** TLS over a connection that has just been accepted, as its server; no hands are shaken yet. */
@FunctionalInterface
public interface TlsLayer {
    SSLSocket over(Socket connection) throws IOException;
}
