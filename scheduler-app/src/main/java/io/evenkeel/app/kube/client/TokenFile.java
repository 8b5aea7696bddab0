package io.evenkeel.app.kube.client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** A token in a file that the kubelet, or somebody else, renews. */
final class TokenFile {
    private static final Duration READ_AGAIN_AFTER = Duration.ofMinutes(1);

    private TokenFile() {}

    static CredentialSource at(Path path, InstantSource clock) {
        if (!Files.isReadable(path)) {
            throw new ClientConfigurationException("cannot read the token file " + path);
        }
        return new RenewedCredential(
                () -> new RenewedCredential.Expiring(
                        Credential.bearer(Files.readString(path)),
                        Optional.of(clock.instant().plus(READ_AGAIN_AFTER)),
                        Optional.empty()),
                clock);
    }
}
