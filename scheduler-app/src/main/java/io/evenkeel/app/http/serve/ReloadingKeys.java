package io.evenkeel.app.http.serve;

import io.evenkeel.file.ReloadedFiles;
import io.evenkeel.tls.PemIdentity;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A certificate and its key from PEM files, which are checked for changes when a client connects. A handshake goes on
 * by the reading that it began with, even if the next one comes meanwhile.
 */
final class ReloadingKeys extends ServerKeys implements ReloadedFiles.Listener<ReloadingKeys.Reading> {
    private static final Logger log = LoggerFactory.getLogger(ReloadingKeys.class);

    /** One reading of the files. Its alias is what a handshake knows it by. */
    record Reading(String alias, PemIdentity identity) {}

    private final Path certificateFile;
    private final ReloadedFiles<Reading> files;
    private volatile Reading previous;
    private int readings;

    /** @throws IOException if the files cannot be read or do not fit together */
    ReloadingKeys(Path certificateFile, Path keyFile, InstantSource clock) throws IOException {
        this.certificateFile = certificateFile;
        this.files = ReloadedFiles.read(
                List.of(certificateFile, keyFile), certificateFile + " with the key " + keyFile, this::parse, clock);
        this.previous = files.latest();
    }

    private Reading parse(List<byte[]> contents) throws GeneralSecurityException {
        PemIdentity identity = PemIdentity.parse(contents.getFirst(), contents.getLast());
        return new Reading("reading-" + ++readings, identity);
    }

    @Override
    public void reloaded(Reading before, Reading now) {
        previous = before;
        log.atInfo()
                .setMessage("Serving certificate reloaded")
                .addKeyValue("file", certificateFile)
                .addKeyValue("expires", now.identity.chain()[0].getNotAfter().toInstant())
                .log();
    }

    @Override
    public void notReloaded(Level level, IOException why) {
        log.atLevel(level)
                .setMessage("Serving certificate not reloaded, keeping the last one")
                .addKeyValue("why", why.getMessage())
                .log();
    }

    /** The certificate that the next client is shown, without its issuers. */
    X509Certificate certificate() {
        return files.latest().identity.chain()[0];
    }

    private PemIdentity identity(String alias) {
        // The latest first: a reading becomes the previous one before another takes its place, so none is missed.
        Reading latest = files.latest();
        Reading former = previous;
        return alias.equals(former.alias) ? former.identity : latest.identity;
    }

    private @Nullable String alias(String keyType) {
        Reading latest = files.look(this);
        String algorithm = latest.identity.key().getAlgorithm();
        boolean fits = keyType.equals(algorithm)
                || (keyType.startsWith("EC") && algorithm.startsWith("EC"))
                || (keyType.startsWith("RSA") && algorithm.startsWith("RSA"));
        return fits ? latest.alias : null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(keyType);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return identity(alias).chain().clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return identity(alias).key();
    }
}
