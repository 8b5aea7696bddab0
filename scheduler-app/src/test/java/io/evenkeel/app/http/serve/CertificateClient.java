package io.evenkeel.app.http.serve;

import io.evenkeel.tls.TestAuthority;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The TLS of a client that shows its certificate to whoever asks, as curl does, even where the server names other
 * authorities; and writes down which it names.
 */
final class CertificateClient extends X509ExtendedKeyManager {
    private final TestAuthority own;
    private final List<String> issuersNamed = new CopyOnWriteArrayList<>();
    private final AtomicInteger timesAsked = new AtomicInteger();

    CertificateClient(TestAuthority own) {
        this.own = own;
    }

    /** With it, the client trusts this server alone. */
    SSLContext tls(X509Certificate server) {
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry("server", server);
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {this}, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    int timesAsked() {
        return timesAsked.get();
    }

    List<String> issuersNamed() {
        return issuersNamed;
    }

    @Override
    public String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        timesAsked.incrementAndGet();
        for (Principal issuer : issuers == null ? new Principal[0] : issuers) {
            issuersNamed.add(issuer.getName());
        }
        return "own";
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return "own";
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return own.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return own.key();
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {"own"};
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
