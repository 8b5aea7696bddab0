package io.evenkeel.tls;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Certificates of authorities, and whether they have signed what a client shows. That the client has the key to it is
 * none of their business: TLS has made sure of that before anybody sees the certificate.
 */
public record Authorities(List<X509Certificate> certificates) {
    public static final Authorities NONE = new Authorities(List.of());

    private static final String FOR_CLIENTS = "1.3.6.1.5.5.7.3.2";
    private static final String FOR_ANYTHING = "2.5.29.37.0";
    private static final int SIGNING_CERTIFICATES = 5;

    public Authorities {
        certificates = List.copyOf(certificates);
    }

    /**
     * Reads them from PEM.
     *
     * @throws GeneralSecurityException if there is no certificate in it, or a damaged one
     */
    public static Authorities parse(byte[] pem) throws GeneralSecurityException {
        return new Authorities(List.of(PemIdentity.certificates(pem)));
    }

    public boolean isEmpty() {
        return certificates.isEmpty();
    }

    public List<String> names() {
        return certificates.stream()
                .map(authority -> authority.getSubjectX500Principal().getName())
                .toList();
    }

    /**
     * Makes sure that the first certificate is good for a client at this time, and signed by one of these authorities or
     * by others of those shown that they have signed. Nothing is fetched, and revocation is not looked up.
     *
     * @throws GeneralSecurityException if not; the message says why
     */
    public void requireClient(List<X509Certificate> shown, Instant time) throws GeneralSecurityException {
        X509Certificate own = shown.getFirst();
        Date date = Date.from(time);
        own.checkValidity(date);
        requireForClients(own);
        if (certificates.contains(own)) {
            return;
        }
        var path = CertPathBuilder.getInstance("PKIX").build(pathTo(own, shown, date));
        for (Certificate certificate : path.getCertPath().getCertificates()) {
            requireForClients((X509Certificate) certificate);
        }
    }

    private PKIXBuilderParameters pathTo(X509Certificate own, List<X509Certificate> shown, Date date)
            throws GeneralSecurityException {
        Set<TrustAnchor> anchors = certificates.stream()
                .filter(authority -> maySign(authority, date))
                .map(authority -> new TrustAnchor(authority, null))
                .collect(Collectors.toSet());
        if (anchors.isEmpty()) {
            throw new CertificateException("no authority may sign clients' certificates now");
        }
        X509CertSelector target = new X509CertSelector();
        target.setCertificate(own);
        PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, target);
        parameters.setRevocationEnabled(false);
        parameters.setDate(date);
        parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(shown)));
        return parameters;
    }

    /**
     * PKIX takes anchors as they are. But one that has expired signs nothing any more, and one that is there because it is
     * a user's own must not sign for other users.
     */
    private static boolean maySign(X509Certificate certificate, Date date) {
        try {
            certificate.checkValidity(date);
            requireForClients(certificate);
        } catch (CertificateException unfit) {
            return false;
        }
        boolean[] usage = certificate.getKeyUsage();
        return (certificate.getVersion() < 3 || certificate.getBasicConstraints() >= 0)
                && (usage == null || usage[SIGNING_CERTIFICATES]);
    }

    /** Where a certificate names no purpose, it has them all. */
    private static void requireForClients(X509Certificate certificate) throws CertificateException {
        List<String> purposes = certificate.getExtendedKeyUsage();
        if (purposes != null && !purposes.contains(FOR_CLIENTS) && !purposes.contains(FOR_ANYTHING)) {
            throw new CertificateException(
                    "that of " + certificate.getSubjectX500Principal().getName() + " is not for clients");
        }
    }
}
