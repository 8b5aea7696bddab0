package io.evenkeel.kube.client;

import io.evenkeel.file.FileContent;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A token in a file that the kubelet, or another program, renews. While the file cannot be read the last token that was in
 * it is used; where none was, another, if there is one.
 */
final class TokenFile implements CredentialSource {
    private static final Duration READ_AGAIN_AFTER = Duration.ofMinutes(1);

    private final Path path;
    private final Optional<Credential> otherwise;
    private final InstantSource clock;
    private final RenewedCredential latest;

    /** @param otherwise what to show until there is a token */
    public TokenFile(Path path, Optional<Credential> otherwise, InstantSource clock) {
        this.path = path;
        this.otherwise = otherwise;
        this.clock = clock;
        this.latest = new RenewedCredential(this::read, clock);
    }

    private RenewedCredential.Expiring read() throws IOException {
        String token = text().strip();
        if (token.isEmpty() || !Credential.fitsHeader(token)) {
            throw new IOException("there is no token in the token file " + path);
        }
        return new RenewedCredential.Expiring(
                Credential.bearer(token), Optional.of(clock.instant().plus(READ_AGAIN_AFTER)), Optional.empty());
    }

    private String text() throws IOException {
        try {
            return FileContent.text(path);
        } catch (IOException unreadable) {
            throw new IOException(
                    "cannot read the token file " + path + ": " + ClientConfigurationException.reason(unreadable),
                    unreadable);
        }
    }

    @Override
    public Credential current() throws IOException {
        try {
            return latest.current();
        } catch (InterruptedIOException stop) {
            throw stop;
        } catch (IOException unreadable) {
            if (otherwise.isEmpty()) {
                throw unreadable;
            }
            return otherwise.get();
        }
    }

    @Override
    public Optional<Credential> atHand() {
        return latest.atHand();
    }

    @Override
    public boolean reject(Credential refused) {
        return latest.reject(refused) && !otherwise.equals(Optional.of(refused));
    }
}
