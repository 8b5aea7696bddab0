package io.evenkeel.kube.client.access;

import io.evenkeel.kube.client.access.Credential.Certificate;
import java.io.IOException;
import java.util.Optional;

/** Shows a client certificate with whatever another source gives. */
final class WithClientCertificate implements CredentialSource {
    private final CredentialSource source;
    private final CredentialFiles<Certificate> files;

    /** @param source of credentials without a certificate */
    public WithClientCertificate(CredentialSource source, CredentialFiles<Certificate> files) {
        this.source = source;
        this.files = files;
    }

    @Override
    public Credential current() throws IOException {
        return source.current().showing(files.current());
    }

    @Override
    public Optional<Credential> atHand() {
        return source.atHand().map(credential -> credential.showing(files.current()));
    }

    @Override
    public boolean reject(Credential refused) {
        boolean otherToken = source.reject(refused.withoutCertificate());
        boolean otherCertificate = !refused.certificate().equals(Optional.of(files.readAgain()));
        return otherToken || otherCertificate;
    }
}
