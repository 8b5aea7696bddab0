package io.evenkeel.kube.extender;

import io.evenkeel.config.Extender;
import io.evenkeel.config.problem.ConfigurationException;
import io.evenkeel.file.ReloadedFiles;
import io.evenkeel.tls.Authorities;
import io.evenkeel.tls.PemIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The authorities that an extender's client trusts and the certificate that it shows: from files, which are looked at again
 * every ten seconds at most while the extender is asked, or from the configuration itself, which goes before the files.
 *
 * <p>As in kube-scheduler, an extender with {@code enableHTTPS} and without a certificate authority is not verified.
 */
final class ExtenderTls implements ReloadedFiles.Listener<OkHttpClient> {
    private static final Logger log = LoggerFactory.getLogger(ExtenderTls.class);
    private static final Extender.Tls NOTHING = new Extender.Tls(false, "", "", "", "", "", "", "");

    /** Where a part comes from: a file, the configuration, or nowhere. */
    private record Part(Optional<Path> file, Optional<byte[]> data) {
        static Part of(String file, String data) {
            if (!data.isEmpty()) {
                return new Part(
                        Optional.empty(), Optional.of(Base64.getMimeDecoder().decode(data)));
            }
            return new Part(Optional.of(file).filter(name -> !name.isEmpty()).map(Path::of), Optional.empty());
        }

        boolean isThere() {
            return file.isPresent() || data.isPresent();
        }
    }

    private final Extender extender;
    private final OkHttpClient plain;
    private final Extender.Tls settings;
    private final Part authority;
    private final Part certificate;
    private final Part key;
    private final ReloadedFiles<OkHttpClient> clients;

    /**
     * Reads the files.
     *
     * @param plain has all other settings of the connection
     */
    ExtenderTls(Extender extender, OkHttpClient plain, InstantSource clock) {
        this.extender = extender;
        this.plain = plain;
        settings = extender.tlsConfig().orElse(NOTHING);
        authority = Part.of(settings.caFile(), settings.caData());
        certificate = Part.of(settings.certFile(), settings.certData());
        key = Part.of(settings.keyFile(), settings.keyData());
        require(
                certificate.isThere() == key.isThere(),
                "a client certificate needs its key, and a key its certificate");
        require(
                !settings.insecure() || !authority.isThere(),
                "insecure and a certificate authority exclude each other");
        try {
            clients = ReloadedFiles.read(
                    List.of(authority, certificate, key).stream()
                            .flatMap(part -> part.file().stream())
                            .toList(),
                    "the TLS files of extender " + extender.urlPrefix(),
                    this::client,
                    clock);
        } catch (IOException unusable) {
            throw problem(String.valueOf(unusable.getMessage()));
        }
    }

    private void require(boolean condition, String otherwise) {
        if (!condition) {
            throw problem(otherwise);
        }
    }

    private ConfigurationException problem(String what) {
        return new ConfigurationException("extender " + extender.urlPrefix() + ": tlsConfig: " + what);
    }

    /** With the files as they are. */
    OkHttpClient client() {
        return clients.look(this);
    }

    private OkHttpClient client(List<byte[]> contents) throws GeneralSecurityException {
        List<byte[]> files = new ArrayList<>(contents);
        Optional<byte[]> trusted = content(authority, files);
        Optional<byte[]> shown = content(certificate, files);
        Optional<byte[]> keyOfShown = content(key, files);
        boolean verified = !settings.insecure() && (trusted.isPresent() || !extender.enableHTTPS());
        X509TrustManager trust = verified ? trust(trusted) : TrustAll.INSTANCE;
        KeyManager[] identity = shown.isPresent() && keyOfShown.isPresent()
                ? PemIdentity.parse(shown.get(), keyOfShown.get()).keyManagers()
                : new KeyManager[0];
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(identity, new TrustManager[] {trust}, new SecureRandom());
        String name = settings.serverName();
        return plain.newBuilder()
                .sslSocketFactory(
                        name.isEmpty() ? context.getSocketFactory() : new NamedServer(context.getSocketFactory(), name),
                        trust)
                .hostnameVerifier((host, session) ->
                        !verified || plain.hostnameVerifier().verify(name.isEmpty() ? host : name, session))
                .build();
    }

    private static Optional<byte[]> content(Part part, List<byte[]> files) {
        return part.file().isPresent() ? Optional.of(files.removeFirst()) : part.data();
    }

    private static X509TrustManager trust(Optional<byte[]> authorities) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(authorities.isPresent() ? store(authorities.get()) : null);
        return (X509TrustManager) factory.getTrustManagers()[0];
    }

    private static KeyStore store(byte[] pem) throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int number = 0;
            for (X509Certificate each : Authorities.parse(pem).certificates()) {
                store.setCertificateEntry("authority-" + number++, each);
            }
            return store;
        } catch (IOException neverWithoutAFile) {
            throw new GeneralSecurityException(neverWithoutAFile);
        }
    }

    @Override
    public void reloaded(OkHttpClient before, OkHttpClient now) {
        before.connectionPool().evictAll();
        log.atInfo()
                .setMessage("Extender's TLS files reloaded")
                .addKeyValue("extender", extender.urlPrefix())
                .log();
    }

    @Override
    public void notReloaded(Level level, IOException why) {
        log.atLevel(level)
                .setMessage("Extender's TLS files not reloaded, keeping the last ones")
                .addKeyValue("extender", extender.urlPrefix())
                .addKeyValue("why", why.getMessage())
                .log();
    }

    /** For an extender that the configuration does not want verified. */
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
}
