package io.evenkeel.tls;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Somebody with a key who signs certificates: an authority, one below another, or a client who has no right to. What it
 * signs is valid from {@link #BEGIN} on for {@link #LIFETIME}.
 */
public final class TestAuthority {
    public static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    public static final Duration LIFETIME = Duration.ofDays(100);

    private final KeyPair keys;
    private final List<X509Certificate> chain;

    private TestAuthority(KeyPair keys, List<X509Certificate> chain) {
        this.keys = keys;
        this.chain = List.copyOf(chain);
    }

    /** One that signs itself. */
    public static TestAuthority named(String commonName) {
        return named(commonName, List.of());
    }

    /** One that signs itself, with a key for these usages alone, as {@link KeyUsage} numbers them. */
    static TestAuthority withKeyFor(int usages, String commonName) {
        return named(commonName, List.of(extension(Extension.keyUsage, new KeyUsage(usages))));
    }

    private static TestAuthority named(String commonName, List<Extension> extensions) {
        KeyPair keys = keys();
        X500Name name = new X500Name("CN=" + commonName);
        return new TestAuthority(keys, List.of(sign(name, keys, name, keys, true, BEGIN.plus(LIFETIME), extensions)));
    }

    /** An authority below this one. */
    public TestAuthority below(String commonName) {
        return sign("CN=" + commonName, true, BEGIN.plus(LIFETIME), List.of());
    }

    /** A client's certificate; with no purposes it has no extension that names any. */
    public TestAuthority client(String subject, KeyPurposeId... purposes) {
        return sign(
                subject,
                false,
                BEGIN.plus(LIFETIME),
                purposes.length == 0
                        ? List.of()
                        : List.of(extension(Extension.extendedKeyUsage, new ExtendedKeyUsage(purposes))));
    }

    public TestAuthority clientUntil(Instant end, String subject) {
        return sign(subject, false, end, List.of());
    }

    /** Its own first, without the one that signs itself, if it is signed by another. */
    public List<X509Certificate> chain() {
        return chain.size() == 1 ? chain : chain.subList(0, chain.size() - 1);
    }

    public X509Certificate certificate() {
        return chain.getFirst();
    }

    public PrivateKey key() {
        return keys.getPrivate();
    }

    public Authorities authorities() {
        return new Authorities(List.of(certificate()));
    }

    public String pem() {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            pem.writeObject(certificate());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return text.toString();
    }

    private TestAuthority sign(String subject, boolean authority, Instant end, List<Extension> extensions) {
        KeyPair own = keys();
        X500Name issuer =
                X500Name.getInstance(certificate().getSubjectX500Principal().getEncoded());
        X509Certificate signed = sign(new X500Name(subject), own, issuer, keys, authority, end, extensions);
        return new TestAuthority(
                own, Stream.concat(Stream.of(signed), chain.stream()).toList());
    }

    private static Extension extension(ASN1ObjectIdentifier type, ASN1Encodable value) {
        try {
            return Extension.create(type, true, value);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static X509Certificate sign(
            X500Name subject,
            KeyPair own,
            X500Name issuer,
            KeyPair issuers,
            boolean authority,
            Instant end,
            List<Extension> extensions) {
        try {
            var builder = new JcaX509v3CertificateBuilder(
                    issuer,
                    new BigInteger(64, new SecureRandom()),
                    Date.from(BEGIN),
                    Date.from(end),
                    subject,
                    own.getPublic());
            builder.addExtension(extension(Extension.basicConstraints, new BasicConstraints(authority)));
            for (Extension extension : extensions) {
                builder.addExtension(extension);
            }
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(issuers.getPrivate());
            return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
