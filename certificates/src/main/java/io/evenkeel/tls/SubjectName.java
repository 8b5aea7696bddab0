package io.evenkeel.tls;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * The user and the groups that a certificate names, as Kubernetes reads them.
 *
 * @param commonName the last, where there are several; empty where there is none
 */
public record SubjectName(String commonName, List<String> organizations) {

    public static SubjectName of(X509Certificate certificate) {
        X500Name subject =
                X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
        List<String> names = values(subject, BCStyle.CN);
        return new SubjectName(names.isEmpty() ? "" : names.getLast(), values(subject, BCStyle.O));
    }

    private static List<String> values(X500Name subject, ASN1ObjectIdentifier type) {
        List<String> values = new ArrayList<>();
        for (RDN part : subject.getRDNs()) {
            for (AttributeTypeAndValue attribute : part.getTypesAndValues()) {
                if (attribute.getType().equals(type) && attribute.getValue() instanceof ASN1String text) {
                    values.add(text.getString());
                }
            }
        }
        return values;
    }
}
