package io.evenkeel.kube.extender;

import io.evenkeel.config.Extender;
import io.evenkeel.file.ReloadedFiles;
import io.evenkeel.kube.client.ClientTls;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.tls.Authorities;
import io.evenkeel.tls.PemIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
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

    OkHttpClient client() {
        return clients.look(this);
    }

    private OkHttpClient client(List<byte[]> contents) throws GeneralSecurityException {
        List<byte[]> files = new ArrayList<>(contents);
        Optional<byte[]> trusted = content(authority, files);
        Optional<byte[]> shown = content(certificate, files);
        Optional<byte[]> keyOfShown = content(key, files);
        boolean verified = !settings.insecure() && (trusted.isPresent() || !extender.enableHTTPS());
        List<KeyManager> identity = shown.isPresent() && keyOfShown.isPresent()
                ? List.of(PemIdentity.parse(shown.get(), keyOfShown.get()).keyManagers())
                : List.of();
        Optional<Authorities> authorities =
                trusted.isPresent() ? Optional.of(Authorities.parse(trusted.get())) : Optional.empty();
        Optional<String> name = Optional.of(settings.serverName()).filter(given -> !given.isEmpty());
        return new ClientTls(verified, authorities, name, identity)
                .on(plain.newBuilder())
                .build();
    }

    private static Optional<byte[]> content(Part part, List<byte[]> files) {
        return part.file().isPresent() ? Optional.of(files.removeFirst()) : part.data();
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
}
