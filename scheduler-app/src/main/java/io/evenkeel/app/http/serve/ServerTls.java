package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.trust.TrustedClients;
import io.evenkeel.app.http.wire.TlsLayer;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/**
 * TLS of the HTTPS port. While any client CA is trusted, clients are asked for a certificate; none has to
 * show any, as they may be known by a token or read what is for everybody.
 */
final class ServerTls implements TlsLayer {
    private final SSLContext context;
    private final TlsOptions options;
    private final Supplier<TrustedClients> trust;

    private ServerTls(SSLContext context, TlsOptions options, Supplier<TrustedClients> trust) {
        this.context = context;
        this.options = options;
        this.trust = trust;
    }

    static ServerTls of(KeyManager[] keys, TlsOptions options, Supplier<TrustedClients> trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, new TrustManager[] {new AcceptAnyClientCertificate(trust)}, null);
            return new ServerTls(context, options, trust);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot set up TLS", e);
        }
    }

    @Override
    public SSLSocket over(Socket connection, InputStream read) throws IOException {
        SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(connection, read, true);
        SSLParameters ours = context.getDefaultSSLParameters();
        options.applyTo(ours);
        ours.setWantClientAuth(!trust.get().isEmpty());
        secure.setSSLParameters(ours);
        return secure;
    }
}
