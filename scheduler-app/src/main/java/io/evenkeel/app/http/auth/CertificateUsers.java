package io.evenkeel.app.http.auth;

import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.trust.TrustedClients;
import io.evenkeel.tls.SubjectName;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Users who show a certificate: its CommonName is their name, its Organizations are their groups. */
final class CertificateUsers implements Identification {
    private static final String CREDENTIAL = "authentication.kubernetes.io/credential-id";

    private final Supplier<TrustedClients> trust;
    private final InstantSource clock;

    CertificateUsers(Supplier<TrustedClients> trust, InstantSource clock) {
        this.trust = trust;
        this.clock = clock;
    }

    @Override
    public Finding identify(Request request) {
        var authorities = trust.get().users();
        if (request.certificates().isEmpty() || authorities.isEmpty()) {
            return NOTHING;
        }
        X509Certificate own = request.certificates().getFirst();
        try {
            authorities.requireClient(request.certificates(), clock.instant());
            SubjectName subject = SubjectName.of(own);
            return subject.commonName().isEmpty()
                    ? new Finding.Refused("the certificate has no CommonName")
                    : new Finding.Known(user(subject, own));
        } catch (GeneralSecurityException e) {
            return new Finding.Refused("not a certificate of a user: " + e.getMessage());
        }
    }

    private static User user(SubjectName subject, X509Certificate certificate) throws GeneralSecurityException {
        String credential = "X509SHA256=" + Sha256.hex(certificate.getEncoded());
        return new User(subject.commonName(), "", subject.organizations(), Map.of(CREDENTIAL, List.of(credential)))
                .authenticated();
    }
}
