package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.trust.TrustedClients;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Lets every client shake hands, whatever certificate it shows, and tells it whose are believed. What the certificate is
 * worth is decided for each request, by {@link CertificateUsers} and {@link ProxiedUsers}: who shows one from elsewhere
 * gets an answer rather than a broken connection, may have a token, and is no longer believed once its certificate has
 * run out or its authority is gone. TLS has the client prove that it has the key to what it shows, which this
 * leaves as it is.
 */
final class ClientsLetIn extends X509ExtendedTrustManager {
    private final Supplier<TrustedClients> trust;

    ClientsLetIn(Supplier<TrustedClients> trust) {
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
        throw neverAClient();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw neverAClient();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw neverAClient();
    }

    private static CertificateException neverAClient() {
        return new CertificateException("this is for a server, which trusts no other server");
    }
}
