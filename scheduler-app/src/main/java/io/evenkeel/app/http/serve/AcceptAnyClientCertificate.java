package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.trust.TrustedClients;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A trust manager that lets every client shake hands, whatever certificate it shows, and tells it which authorities are
 * trusted. {@code http.auth} checks the certificate for each request instead: so a client with one from elsewhere gets an
 * answer rather than a broken connection and may still show a token, and a connection that lasts loses its rights when its
 * certificate expires or its authority is removed. TLS still has the client prove that it holds the key of the
 * certificate.
 */
final class AcceptAnyClientCertificate extends X509ExtendedTrustManager {
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
