package io.evenkeel.kube.client;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate, signed by itself, and its key: a client's, or that of a server on 127.0.0.1. */
public record TestIdentity(String certificate, String key) {

    /** @param algorithm EC, RSA or Ed25519 */
    public static TestIdentity of(String user, String algorithm) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            if (algorithm.equals("RSA")) {
                generator.initialize(2048); // Java's own choice takes seconds to find
            }
            KeyPair keys = generator.generateKeyPair();
            X500Name name = new X500Name("CN=" + user);
            Instant now = Instant.now();
            var builder = new JcaX509v3CertificateBuilder(
                    name,
                    BigInteger.ONE,
                    Date.from(now.minusSeconds(60)),
                    Date.from(now.plusSeconds(3600)),
                    name,
                    keys.getPublic());
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1")));
            String signature = switch (algorithm) {
                case "EC" -> "SHA256withECDSA";
                case "RSA" -> "SHA256withRSA";
                default -> algorithm;
            };
            var signer = new JcaContentSignerBuilder(signature).build(keys.getPrivate());
            return new TestIdentity(
                    pem(new JcaX509CertificateConverter().getCertificate(builder.build(signer))),
                    pem(new JcaPKCS8Generator(keys.getPrivate(), null)));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            pem.writeObject(object);
        }
        return text.toString();
    }

    /** The fields of a kubeconfig's user. */
    public String fields() {
        return "client-certificate-data: " + base64(certificate) + ", client-key-data: " + base64(key);
    }

    public static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
