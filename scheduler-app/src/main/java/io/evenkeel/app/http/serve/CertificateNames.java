package io.evenkeel.app.http.serve;

import io.evenkeel.tls.SubjectName;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** For which names a certificate is: its CommonName and its DNS names, in lower case. */
final class CertificateNames {
    private static final int DNS_NAME = 2;

    private CertificateNames() {}

    static List<String> of(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        String common = SubjectName.of(certificate).commonName();
        if (!common.isEmpty()) {
            names.add(common.toLowerCase(Locale.ROOT));
        }
        try {
            Collection<List<?>> others = certificate.getSubjectAlternativeNames();
            for (List<?> other : others == null ? List.<List<?>>of() : others) {
                if (other.getFirst().equals(DNS_NAME)) {
                    names.add(String.valueOf(other.getLast()).toLowerCase(Locale.ROOT));
                }
            }
        } catch (CertificateParsingException unreadable) {
            return names;
        }
        return names;
    }
}
