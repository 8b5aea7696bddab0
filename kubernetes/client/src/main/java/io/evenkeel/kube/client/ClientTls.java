package io.evenkeel.kube.client;

import io.evenkeel.tls.Authorities;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;

/**
 * TLS of a client: how it knows that a server is the right one, and what it shows of itself.
 *
 * @param verified whether the server has to be the right one at all
 * @param authorities what vouches for the server; empty for the certificates that the JVM trusts
 * @param serverName the name that is asked for and that the server's certificate must have, where that is not in the address
 * @param shown what may be shown; empty for nothing
 */
public record ClientTls(
        boolean verified, Optional<Authorities> authorities, Optional<String> serverName, List<KeyManager> shown) {

    public OkHttpClient.Builder on(OkHttpClient.Builder client) throws GeneralSecurityException {
        X509TrustManager trust = verified ? trust() : TrustAll.INSTANCE;
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(shown.toArray(KeyManager[]::new), new TrustManager[] {trust}, new SecureRandom());
        SSLSocketFactory sockets = context.getSocketFactory();
        client.sslSocketFactory(
                serverName
                        .<SSLSocketFactory>map(name -> new NamedServer(sockets, name))
                        .orElse(sockets),
                trust);
        var names = client.build().hostnameVerifier();
        return client.hostnameVerifier((host, session) -> !verified || names.verify(serverName.orElse(host), session));
    }

    private X509TrustManager trust() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        if (authorities.isPresent()) {
            factory.init(store(authorities.get()));
        } else {
            factory.init((KeyStore) null);
        }
        return (X509TrustManager) factory.getTrustManagers()[0];
    }

    private static KeyStore store(Authorities authorities) throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int number = 0;
            for (X509Certificate each : authorities.certificates()) {
                store.setCertificateEntry("authority-" + number++, each);
            }
            return store;
        } catch (IOException neverWithoutAFile) {
            throw new UncheckedIOException(neverWithoutAFile);
        }
    }

    /** For a server that the user does not want verified. */
    private static final class TrustAll implements X509TrustManager {
        static final TrustAll INSTANCE = new TrustAll();

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** Asks for a server by a name of its own, whatever address it is reached at. */
    private static final class NamedServer extends SSLSocketFactory {
        private static final Predicate<String> IS_LABEL =
                Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?").asMatchPredicate();

        private final SSLSocketFactory sockets;
        private final String name;

        NamedServer(SSLSocketFactory sockets, String name) {
            this.sockets = sockets;
            this.name = name;
        }

        @Override
        public Socket createSocket(Socket connected, String host, int port, boolean autoClose) throws IOException {
            Socket socket = sockets.createSocket(connected, name, port, autoClose);
            if (IS_LABEL.test(name) && socket instanceof SSLSocket named) { // the JVM asks for names with dots only
                SSLParameters parameters = named.getSSLParameters();
                parameters.setServerNames(List.of(new SNIHostName(name)));
                named.setSSLParameters(parameters);
            }
            return socket;
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
}
