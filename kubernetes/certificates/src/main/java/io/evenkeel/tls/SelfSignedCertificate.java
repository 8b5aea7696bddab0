package io.evenkeel.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A server certificate on a fresh P-256 key, signed by that key, valid for the host names and addresses given. It is its
 * own authority: who trusts {@link #pem()} trusts the server, and nothing else.
 */
public final class SelfSignedCertificate {

    private static final Duration CLOCK_SKEW = Duration.ofHours(1);
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final char[] NO_PASSWORD = {};
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT);

    private static final BigInteger VERSION_3 = BigInteger.TWO;
    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String FOR_SERVERS = "1.3.6.1.5.5.7.3.1";
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;
    private static final int DIGITAL_SIGNATURE = 0x80;
    private static final int CERTIFICATES_SIGNATURE = 0x04;
    private static final Der TRUE = new Der(Der.BOOLEAN, new byte[] {(byte) 0xff});

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
        } catch (GeneralSecurityException | IOException e) {
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

    /** The fields of RFC 5280, 4.1. */
    private static X509Certificate sign(KeyPair keys, Collection<String> hosts, Duration lifetime)
            throws GeneralSecurityException, IOException {
        Instant now = Instant.now();
        Der name = Der.sequence(Der.of(
                Der.SET,
                Der.sequence(
                        Der.identifier(COMMON_NAME),
                        Der.text(Der.UTF8_STRING, hosts.iterator().next()))));
        Der toSign = Der.sequence(
                Der.tagged(0, Der.integer(VERSION_3)),
                Der.integer(new BigInteger(127, new SecureRandom())),
                Der.sequence(Der.identifier(ECDSA_WITH_SHA256)),
                name,
                Der.sequence(time(now.minus(CLOCK_SKEW)), time(now.plus(lifetime))),
                name,
                Der.parse(keys.getPublic().getEncoded()),
                Der.tagged(3, extensions(hosts)));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(toSign.encoded());
        Der certificate =
                Der.sequence(toSign, Der.sequence(Der.identifier(ECDSA_WITH_SHA256)), bits(0, signature.sign()));
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(certificate.encoded()));
    }

    private static Der time(Instant instant) {
        return Der.text(Der.GENERALIZED_TIME, TIME.format(instant.atOffset(ZoneOffset.UTC)));
    }

    private static Der extensions(Collection<String> hosts) throws IOException {
        List<Der> names = new ArrayList<>();
        for (String host : hosts) {
            boolean isAddress = ADDRESS.matcher(host).matches();
            names.add(
                    isAddress
                            ? Der.tagged(IP_ADDRESS, InetAddress.getByName(host).getAddress())
                            : Der.tagged(DNS_NAME, host.getBytes(StandardCharsets.US_ASCII)));
        }
        return Der.sequence(
                extension(SUBJECT_ALTERNATIVE_NAME, false, Der.sequence(names.toArray(Der[]::new))),
                extension(BASIC_CONSTRAINTS, true, Der.sequence(TRUE)),
                extension(KEY_USAGE, true, bits(2, new byte[] {(byte) (DIGITAL_SIGNATURE | CERTIFICATES_SIGNATURE)})),
                extension(EXTENDED_KEY_USAGE, false, Der.sequence(Der.identifier(FOR_SERVERS))));
    }

    private static Der extension(String identifier, boolean isCritical, Der value) {
        Der octets = new Der(Der.OCTET_STRING, value.encoded());
        return isCritical
                ? Der.sequence(Der.identifier(identifier), TRUE, octets)
                : Der.sequence(Der.identifier(identifier), octets);
    }

    /** Bits; so many of the last byte are not meant. */
    private static Der bits(int unused, byte[] bytes) {
        byte[] content = new byte[bytes.length + 1];
        content[0] = (byte) unused;
        System.arraycopy(bytes, 0, content, 1, bytes.length);
        return new Der(Der.BIT_STRING, content);
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
