package io.evenkeel.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A server certificate on a fresh P-256 key, signed by that key, valid for the host names and addresses given. It is its
 * own authority: who trusts {@link #pem()} trusts the server, and nothing else.
 */
public final class SelfSignedCertificate {

    private static final Duration CLOCK_SKEW = Duration.ofHours(1);
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final char[] NO_PASSWORD = {};

    private final X509Certificate certificate;
    private final KeyManager[] keyManagers;
    private final SSLContext sslContext;

    private SelfSignedCertificate(X509Certificate certificate, KeyManager[] keyManagers)
            throws GeneralSecurityException, IOException {
        this.certificate = certificate;
        this.keyManagers = keyManagers;
        this.sslContext = contextFor(keyManagers, certificate);
    }

    /** Makes one for DNS names and IP addresses; the first is the subject's name too. */
    public static SelfSignedCertificate forHosts(Collection<String> hosts, Duration lifetime) {
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("a certificate needs a host name, such as localhost");
        }
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            X509Certificate certificate = sign(keys, hosts, lifetime);
            X509Certificate[] chain = {certificate};
            return new SelfSignedCertificate(certificate, new PemIdentity(chain, keys.getPrivate()).keyManagers());
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("cannot make a certificate for " + hosts, e);
        }
    }

    /** Serves with this certificate, and as a client trusts it alone. */
    public SSLContext sslContext() {
        return sslContext;
    }

    /** For a server that shows this certificate and has its own mind about clients. */
    public KeyManager[] keyManagers() {
        return keyManagers.clone();
    }

    public X509Certificate certificate() {
        return certificate;
    }

    /** The certificate, without its key, as PEM. */
    public String pem() {
        try {
            String base64 = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                    .encodeToString(certificate.getEncoded());
            return "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "cannot encode the certificate of " + certificate.getSubjectX500Principal(), e);
        }
    }

    private static X509Certificate sign(KeyPair keys, Collection<String> hosts, Duration lifetime)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        X500Name name = new X500Name("CN=" + hosts.iterator().next());
        Instant now = Instant.now();
        var builder = new JcaX509v3CertificateBuilder(
                name,
                new BigInteger(127, new SecureRandom()),
                Date.from(now.minus(CLOCK_SKEW)),
                Date.from(now.plus(lifetime)),
                name,
                keys.getPublic());
        GeneralName[] names = hosts.stream()
                .map(host -> new GeneralName(
                        ADDRESS.matcher(host).matches() ? GeneralName.iPAddress : GeneralName.dNSName, host))
                .toArray(GeneralName[]::new);
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyCertSign));
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
        var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }

    private static SSLContext contextFor(KeyManager[] own, X509Certificate certificate)
            throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, NO_PASSWORD);
        trusted.setCertificateEntry("server", certificate);
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);

        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own, trust.getTrustManagers(), null);
        return context;
    }
}
