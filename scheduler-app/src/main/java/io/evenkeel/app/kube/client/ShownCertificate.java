package io.evenkeel.app.kube.client;

import io.evenkeel.app.kube.client.Credential.Certificate;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Shows a client certificate with whatever another source gives. It is read again now and then, for somebody may renew
 * its files; while they cannot be read, or do not fit together, the last one that did is shown.
 */
final class ShownCertificate implements CredentialSource {
    private static final Duration READ_AGAIN_AFTER = Duration.ofMinutes(1);

    private record Reading(Certificate certificate, Instant at) {}

    private final CredentialSource source;
    private final Supplier<Certificate> files;
    private final InstantSource clock;
    private volatile Reading latest;

    /**
     * To begin with the certificate that was just read.
     *
     * @param source of credentials without a certificate
     * @param files throws a ClientConfigurationException where they will not do
     */
    ShownCertificate(CredentialSource source, Certificate first, Supplier<Certificate> files, InstantSource clock) {
        this.source = source;
        this.files = files;
        this.clock = clock;
        this.latest = new Reading(first, clock.instant());
    }

    @Override
    public Credential current() throws IOException {
        Reading known = latest;
        boolean isOld = !clock.instant().isBefore(known.at().plus(READ_AGAIN_AFTER));
        return source.current().showing(isOld ? readAgain(known) : known.certificate());
    }

    @Override
    public boolean reject(Credential refused) {
        boolean otherToken = source.reject(refused.withoutCertificate());
        boolean otherCertificate = !refused.certificate().equals(Optional.of(readAgain(latest)));
        return otherToken || otherCertificate;
    }

    /** Two threads may both do so, to the same end. */
    private Certificate readAgain(Reading known) {
        Reading now = new Reading(read().orElse(known.certificate()), clock.instant());
        latest = now;
        return now.certificate();
    }

    private Optional<Certificate> read() {
        try {
            return Optional.of(files.get());
        } catch (ClientConfigurationException halfWritten) {
            return Optional.empty();
        }
    }
}
