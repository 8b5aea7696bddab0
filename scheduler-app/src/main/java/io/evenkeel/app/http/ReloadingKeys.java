package io.evenkeel.app.http;

import io.evenkeel.app.tls.PemIdentity;
import io.evenkeel.config.FileProblem;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A certificate and its key from PEM files, read anew when they change, as mounted secrets do. The files are looked at
 * when somebody connects, every ten seconds at most; while they do not fit together, the last that did are kept.
 */
final class ReloadingKeys extends X509ExtendedKeyManager {
    private static final Logger log = LoggerFactory.getLogger(ReloadingKeys.class);
    static final Duration LOOK_EVERY = Duration.ofSeconds(10);

    /** One reading of the files. Its alias is what a handshake goes on by, even if the next reading comes meanwhile. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares readings
    private record Reading(String alias, byte[] certificateFile, byte[] keyFile, PemIdentity identity) {}

    private final Path certificateFile;
    private final Path keyFile;
    private final InstantSource clock;
    private Reading current;
    private Reading previous;
    private Instant lookedAt;
    private int readings;
    private boolean inTrouble;

    /** @throws IOException if the files cannot be read or do not fit together */
    ReloadingKeys(Path certificateFile, Path keyFile, InstantSource clock) throws IOException {
        this.certificateFile = certificateFile;
        this.keyFile = keyFile;
        this.clock = clock;
        this.lookedAt = clock.instant();
        this.current = read(bytesOf(certificateFile), bytesOf(keyFile));
        this.previous = current;
    }

    private static byte[] bytesOf(Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException(FileProblem.reading(file, e), e);
        }
    }

    private Reading read(byte[] certificates, byte[] key) throws IOException {
        try {
            PemIdentity identity = PemIdentity.parse(certificates, key);
            return new Reading("reading-" + ++readings, certificates, key, identity);
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "cannot use " + certificateFile + " with the key " + keyFile + ": " + e.getMessage(), e);
        }
    }

    private synchronized Reading latest() {
        Instant now = clock.instant();
        if (now.isBefore(lookedAt.plus(LOOK_EVERY))) {
            return current;
        }
        lookedAt = now;
        look();
        return current;
    }

    private void look() {
        try {
            byte[] certificates = bytesOf(certificateFile);
            byte[] key = bytesOf(keyFile);
            if (!Arrays.equals(certificates, current.certificateFile) || !Arrays.equals(key, current.keyFile)) {
                Reading next = read(certificates, key);
                previous = current;
                current = next;
                log.atInfo()
                        .setMessage("Serving certificate reloaded")
                        .addKeyValue("file", certificateFile)
                        .addKeyValue(
                                "expires",
                                next.identity.chain()[0].getNotAfter().toInstant())
                        .log();
            }
            inTrouble = false;
        } catch (IOException unusable) {
            log.atLevel(inTrouble ? Level.DEBUG : Level.WARN)
                    .setMessage("Serving certificate not reloaded, the one before is kept")
                    .addKeyValue("why", unusable.getMessage())
                    .log();
            inTrouble = true;
        }
    }

    private synchronized PemIdentity identity(String alias) {
        return alias.equals(previous.alias) ? previous.identity : current.identity;
    }

    private @Nullable String alias(String keyType) {
        Reading latest = latest();
        String algorithm = latest.identity.key().getAlgorithm();
        boolean fits = keyType.equals(algorithm)
                || (keyType.startsWith("EC") && algorithm.startsWith("EC"))
                || (keyType.startsWith("RSA") && algorithm.startsWith("RSA"));
        return fits ? latest.alias : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(keyType);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = alias(keyType);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return identity(alias).chain().clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return identity(alias).key();
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
