package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.EndpointServer.TlsLayer;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS of the HTTPS port. While any client CA is trusted, clients are asked for a certificate; none has to
 * show any, as they may be known by a token or read what is for everybody.
 */
record ServerTls(SSLContext context, TlsOptions options, Supplier<TrustedClients> trust) implements TlsLayer {
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

    /**
     * A trust manager that lets every client shake hands, whatever certificate it shows, and tells it which authorities are
     * trusted. {@link AccessControl} checks the certificate for each request instead: so a client with one from elsewhere
     * gets an answer rather than a broken connection and may still show a token, and a connection that lasts loses its
     * rights when its certificate expires or its authority is removed. TLS still has the client prove that it holds the key
     * of the certificate.
     */
    private static final class AcceptAnyClientCertificate extends X509ExtendedTrustManager {
        private final Supplier<TrustedClients> trust;

        AcceptAnyClientCertificate(Supplier<TrustedClients> trust) {
            this.trust = trust;
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return trust.get().issuers().toArray(X509Certificate[]::new);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            throw serverOnly();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            throw serverOnly();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            throw serverOnly();
        }

        private static CertificateException serverOnly() {
            return new CertificateException("for a server's side of a connection only");
        }
    }
}
